import { createHandler } from '@proj/fastify';
import { sqlite } from '@proj/sqlite';

const handle = await createHandler({
  prefix: '/data',
  database: process.env['DATABASE_URL'] ?? '',
  kinds: [sqlite],
  models: 'all',
  principal: ({ headers }) => (headers.get('user') === null ? null : { id: 'somebody' }),
});

// Bun serves what is exported so, and passes its server as a second argument.
export default { fetch: (request: Request): Promise<Response> => handle(request) };
