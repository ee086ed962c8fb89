import { dynamicQuery } from '@proj/fastify';
import { sqlite } from '@proj/sqlite';
import Fastify from 'fastify';

const app = Fastify();
await app.register(dynamicQuery, {
  prefix: '/data',
  database: process.argv[2] ?? '',
  kinds: [sqlite],
  models: 'all',
  principal: () => ({ id: 'somebody' }),
});
const { statusCode } = await app.inject({
  method: 'POST',
  url: '/data/api/v1/dynamic/query',
  payload: { query_model: 'orders', query_attributes: ['id'], page: { page: 1, size: 1 } },
});
await app.close();
console.log(`answered ${statusCode}, closed`);
