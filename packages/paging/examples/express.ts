import { paginate } from '@proj/paging';
import { pageRequestSchema } from '@proj/paging/schema';
import express, { type Request } from 'express';

const cities = Array.from({ length: 42 }, (_, index) => ({ name: `City ${index + 1}` }));
const app = express();

app.post(
  '/cities',
  express.json(),
  (request: Request<object, unknown, { page?: unknown } | undefined>, response) => {
    const page = pageRequestSchema.safeParse(request.body?.page);
    if (page.success) response.json(paginate(cities, page.data));
    else response.status(400).json({ errors: page.error.issues });
  },
);

app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
