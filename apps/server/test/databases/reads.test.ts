import { expect, it } from 'vitest';

import { listen, until, writeTo } from '../helper.ts';
import { startCollector } from '../traces/collector.ts';
import { watchList } from '../watched.ts';
import {
  ADMIN_TOKEN,
  orderDatabases,
  ordersFile,
  pageOf,
  PATIENT,
  serviceOf,
} from './service-of-several.ts';

/** The kind of the span of a request. */
const SERVER = 2;

const servers = orderDatabases();

/** PostgreSQL, MariaDB and SQLite, and how many orders each has. */
function threeDatabases(file = ordersFile(14)) {
  return {
    shop: { url: servers.postgres().url, expose: 'all' },
    crm: { url: servers.mariadb().url, expose: 'all' },
    local: { url: file.url, expose: 'all' },
  };
}

it('a list of one of several databases is watched by the changes of that database', async () => {
  const [local, other] = [ordersFile(14), ordersFile(1)];
  const databases = { ...threeDatabases(local), other: { url: other.url, expose: 'all' } };
  const { service } = await serviceOf({ databases, limits: { ...PATIENT, watch_check_ms: 100 } });
  const port = await listen(service.app);
  const watch = (query_model: string) =>
    watchList(port, { query_model, query_attributes: ['id'] }, { token: ADMIN_TOKEN });
  const watched = await Promise.all(
    ['shop', 'crm', 'local', 'other'].map((name) => watch(`${name}.orders`)),
  );
  // A SQLite file that has just been written to has no version; one more event then brings it.
  const totals = () => watched.map((one) => [...new Set(one.totals())]);
  await until(() => totals().every(({ length }) => length > 0));
  expect(totals()).toEqual([['12'], ['13'], ['14'], ['1']]);
  writeTo(local.path, 'insert into orders values (15, 1, 5)');
  await until(() => totals()[2]?.length === 2);
  await servers.postgres().client('insert into orders values (13, 1, 5)');
  await until(() => totals()[0]?.length === 2);
  await servers.mariadb().client('insert into orders values (14, 1, 5)');
  await until(() => totals()[1]?.length === 2);
  expect(totals()).toEqual([['12', '13'], ['13', '14'], ['14', '15'], ['1']]);
  await servers.postgres().client('delete from orders where id = 13');
  await servers.mariadb().client('delete from orders where id = 14');
});

/** The groups of both customers: how many orders each has, and the largest amount. */
function groups(ann: readonly [number, number], bob: readonly [number, number]): object[] {
  return [['Ann', ...ann] as const, ['Bob', ...bob] as const].map(([name, orders, largest]) => ({
    'customer.name': name,
    orders: String(orders),
    largest,
  }));
}

it('groups are made by the database that has the model', async () => {
  const { post } = await serviceOf({ databases: threeDatabases() });
  const grouped = async (query_model: string): Promise<unknown> => {
    const reply = await post({
      query_model,
      query_groups: ['customer.name'],
      query_aggregates: [
        { name: 'orders', op: 'count' },
        { name: 'largest', op: 'max', attribute: 'amount' },
      ],
      query_attributes: ['customer.name', 'orders', 'largest'],
      query_sort: [{ attribute: 'customer.name', direction: 'asc' }],
      page: { page: 1, size: 5 },
    });
    return reply.json<{ result: unknown }>().result;
  };
  expect(await grouped('shop.orders')).toEqual(groups([6, 100], [6, 110]));
  expect(await grouped('crm.orders')).toEqual(groups([7, 120], [6, 110]));
  expect(await grouped('local.orders')).toMatchObject([{ orders: '7' }, { orders: '7' }]);
});

it('traces name the model with its database, and the statements by the kind of each', async () => {
  const collector = await startCollector();
  const traces = { endpoint: collector.url };
  const { post } = await serviceOf({ databases: threeDatabases(), traces });
  const names = ['shop.orders', 'crm.orders', 'local.orders'];
  for (const name of names) expect((await post(pageOf(name))).statusCode).toBe(200);
  const requests = () => collector.spans.filter(({ kind }) => kind === SERVER);
  await until(() => requests().length === names.length);
  expect(requests().map(({ attributes }) => attributes['dynamic_query.model'])).toEqual(names);
  const systems = requests().map(({ spanId }) => [
    ...new Set(
      collector.spans
        .filter(({ parentSpanId }) => parentSpanId === spanId)
        .flatMap(({ attributes }) => attributes['db.system.name'] ?? []),
    ),
  ]);
  expect(systems).toEqual([['postgresql'], ['mariadb'], ['sqlite']]);
});
