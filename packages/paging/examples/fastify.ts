import { paginate } from '@proj/paging';
import { pageRequestSchema } from '@proj/paging/schema';
import fastify from 'fastify';

const cities = Array.from({ length: 42 }, (_, index) => ({ name: `City ${index + 1}` }));
const app = fastify();

app.post<{ Body: { page?: unknown } | null }>('/cities', (request, reply) => {
  const page = pageRequestSchema.safeParse(request.body?.page);
  return page.success
    ? paginate(cities, page.data)
    : reply.code(400).send({ errors: page.error.issues });
});

await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) });
