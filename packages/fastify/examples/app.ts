import { dynamicQuery } from '@proj/fastify';
import { sqlite } from '@proj/sqlite';
import Fastify from 'fastify';

const app = Fastify();

await app.register(dynamicQuery, {
  prefix: '/data',
  database: `sqlite:${process.argv[2]}`,
  kinds: [sqlite],
  models: { orders: { attributes: ['id', 'amount', 'tenant'] }, customers: 'all' },
  roles: {
    clerk: { orders: { rows: { attribute: 'tenant', op: 'eq', value: '$claims.tenant' } } },
  },
  // Here a header names the tenant; in your app the session does.
  principal: ({ headers: { tenant } }) =>
    typeof tenant === 'string' ? { id: `of ${tenant}`, role: 'clerk', claims: { tenant } } : null,
  onQuery: ({ principal, model, records }) => console.log(principal.id, model, records),
});

app.get('/top-orders', async ({ dynamicQuery: data }) => {
  const query = { model: 'orders', attributes: ['id', 'amount'], page: 1, size: 10 } as const;
  const { records } = await data.query({
    ...query,
    sort: [{ attribute: 'amount', direction: 'desc' }],
  });
  return records;
});

console.log(await app.listen());
