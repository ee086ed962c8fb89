import { createHandler } from '@proj/fastify';
import { sqlite } from '@proj/sqlite';
import { Hono } from 'hono';

const handle = await createHandler({
  prefix: '/data',
  database: process.env['DATABASE_URL'] ?? '',
  kinds: [sqlite],
  models: 'all',
  principal: ({ headers }) => (headers.get('user') === null ? null : { id: 'somebody' }),
});

const app = new Hono();
app.all('/data/*', ({ req }) => handle(req.raw));

export default app;
