// In a Next app: app/data/[...path]/route.ts
import { createHandler } from '@proj/fastify';
import { sqlite } from '@proj/sqlite';

const handle = await createHandler({
  prefix: '/data',
  database: process.env['DATABASE_URL'] ?? '',
  kinds: [sqlite],
  models: 'all',
  principal: ({ headers }) => (headers.get('user') === null ? null : { id: 'somebody' }),
});

export const GET = (request: Request): Promise<Response> => handle(request);
export const POST = (request: Request): Promise<Response> => handle(request);
