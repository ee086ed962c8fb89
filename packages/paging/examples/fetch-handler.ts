import { paginate } from '@proj/paging';
import { pageRequestSchema } from '@proj/paging/schema';

const cities = Array.from({ length: 42 }, (_, index) => ({ name: `City ${index + 1}` }));

async function fetch(request: Request): Promise<Response> {
  const body = (await request.json().catch(() => null)) as { page?: unknown } | null;
  const page = pageRequestSchema.safeParse(body?.page);
  return page.success
    ? Response.json(paginate(cities, page.data))
    : Response.json({ errors: page.error.issues }, { status: 400 });
}

export default { fetch };
