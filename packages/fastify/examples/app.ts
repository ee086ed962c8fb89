import { dynamicQuery } from '@proj/fastify';
import { sqlite } from '@proj/sqlite';
import Fastify from 'fastify';

const app = Fastify();

await app.register(dynamicQuery, {
  prefix: '/data',
  database: `sqlite:${process.argv[2]}`,
  kinds: [sqlite],
  models: { orders: { attributes: ['id', 'amount', 'customer_id'] }, customers: 'all' },
  roles: {
    buyer: { orders: { rows: { attribute: 'customer_id', op: 'eq', value: '$claims.customer' } } },
  },
  // Here a header names the customer; in your app the session does.
  principal: ({ headers: { customer } }) =>
    typeof customer === 'string' ? { id: customer, role: 'buyer', claims: { customer } } : null,
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
