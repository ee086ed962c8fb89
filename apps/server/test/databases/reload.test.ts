import { until } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { sha256 } from '../../src/access/tokens.ts';
import { writeTo } from '../helper.ts';
import { readMetrics, valueOf } from '../metrics-text.ts';
import { orderDatabases, ordersFile, pageOf, serviceOf } from './service-of-several.ts';

const servers = orderDatabases();

const exposed = (url: string) => ({ url, expose: 'all' });

it('a reload adds, changes and removes databases, each at the same moment', async () => {
  const [first, second] = [ordersFile(1), ordersFile(2)];
  const kept = exposed(servers.postgres().url);
  const { total, models, change } = await serviceOf({
    databases: { kept, changed: exposed(first.url), removed: exposed(second.url) },
  });
  expect(await total('changed.orders')).toBe('1');
  const next = {
    kept,
    changed: exposed(second.url),
    added: { ...exposed(servers.mariadb().url), prefix: 'none' },
  };
  expect(await change({ databases: next })).toBe(true);
  expect(await models()).toEqual([
    'kept.customers',
    'kept.orders',
    'changed.customers',
    'changed.orders',
    'customers',
    'orders',
  ]);
  expect(await total('kept.orders')).toBe('12');
  expect(await total('changed.orders')).toBe('2');
  expect(await total('orders')).toBe('13');
  expect(await total('removed.orders')).toBe('unknown_model');
});

it('a reload that does not fit one database changes none of them', async () => {
  const [shop, crm] = [exposed(servers.postgres().url), exposed(servers.mariadb().url)];
  const { total, models, change, lines } = await serviceOf({ databases: { a: shop, b: crm } });
  const before = await models();
  const wrong = { c: shop, b: { ...shop, expose: 'listed', models: { no: {} } } };
  expect(await change({ databases: wrong })).toBe(false);
  expect(lines.at(-1)).toMatchObject({ msg: 'reload failed, keeping the previous settings' });
  expect(lines.at(-1)?.reason).toMatch(/^b: .*models\.no: /);
  expect(await models()).toEqual(before);
  expect(await total('b.orders')).toBe('13');
  const twice = { a: { ...shop, prefix: 'none' }, b: { ...crm, prefix: 'none' } };
  expect(await change({ databases: twice })).toBe(false);
  expect(lines.at(-1)?.reason).toMatch(/^databases: customers is a model of a and of b\./);
  expect(await total('a.orders')).toBe('12');
});

it('tokens and models of the others change while a database is away', async () => {
  const databases = { shop: exposed(servers.postgres().url), local: exposed(ordersFile(3).url) };
  const { total, change, lines } = await serviceOf({ databases });
  servers.postgres().halt();
  onTestFinished(servers.postgres().restore);
  const roles = { clerk: { models: { 'shop.orders': {}, 'local.orders': {} } } };
  const tokens = [{ name: 'clerk', role: 'clerk', sha256: sha256('clerk') }];
  expect(await change({ databases, roles, tokens }, 'operator')).toBe(true);
  expect(lines.map(({ msg }) => msg)).toContain(
    'shop: The database does not answer: its models stay as they were.',
  );
  expect(await total('local.orders', 'clerk')).toBe('3');
  expect(await total('shop.orders', 'clerk')).toBe('database_unavailable');
  servers.postgres().restore();
  await until(async () => (await total('shop.orders', 'clerk')) === '12');
});

it('a database that a reload adds while it is away is waited for', async () => {
  const local = exposed(ordersFile(3).url);
  const { total, change } = await serviceOf({ databases: { local } });
  servers.postgres().halt();
  onTestFinished(servers.postgres().restore);
  const databases = { local, shop: exposed(servers.postgres().url) };
  expect(await change({ databases })).toBe(true);
  expect(await total('shop.orders')).toBe('database_unavailable');
  expect(await total('local.orders')).toBe('3');
  servers.postgres().restore();
  await until(async () => (await total('shop.orders')) === '12');
});

it('the operator makes the schema of every database be read again', async () => {
  const [a, b] = [ordersFile(1), ordersFile(2)];
  const settings = { databases: { a: exposed(a.url), b: exposed(b.url) } };
  const { models, change } = await serviceOf(settings);
  for (const { path } of [a, b]) writeTo(path, 'create table added (id integer primary key)');
  expect(await change(settings, 'operator')).toBe(true);
  expect(await models()).toEqual(expect.arrayContaining(['a.added', 'b.added']));
});

it('the service has to start again to have several databases in place of one', async () => {
  const { url } = ordersFile(1);
  const one = await serviceOf({ database: url, expose: 'all' });
  expect(await one.change({ databases: { a: exposed(url) } })).toBe(false);
  expect(one.lines.at(-1)?.reason).toMatch(
    /databases: the service was started with `database`\. Restart it\.$/,
  );
  const several = await serviceOf({ databases: { a: exposed(url) } });
  expect(await several.change({ database: url, expose: 'all' })).toBe(false);
  expect(several.lines.at(-1)?.reason).toMatch(/started with `databases`\. Restart it\.$/);
  expect(await several.total('a.orders')).toBe('1');
});

it('a new log level holds for what is logged of each database, also of one that is waited for', async () => {
  const file = ordersFile(1);
  const databases = { shop: exposed(servers.postgres().url), local: exposed(file.url) };
  servers.postgres().halt();
  onTestFinished(servers.postgres().restore);
  const { total, change, lines } = await serviceOf({ databases, log_level: 'error' }, ['shop']);
  expect(await change({ databases, log_level: 'info' })).toBe(true);
  writeTo(file.path, 'drop table orders');
  expect(await total('local.orders')).toBe('model_unavailable');
  const lost = { database: 'local', msg: 'a model, or a part of it, is unavailable' };
  expect(lines).toContainEqual(expect.objectContaining(lost));
  servers.postgres().restore();
  await until(async () => (await total('shop.orders')) === '12');
  expect(lines).toContainEqual(
    expect.objectContaining({ database: 'shop', msg: 'the database answers' }),
  );
});

it('the caches of all databases share their memory anew where a reload adds some', async () => {
  const file = ordersFile(1);
  writeTo(
    file.path,
    `create table notes (id integer primary key, note text);
    insert into notes values (1, printf('%.*c', 10000, 'x'))`,
  );
  const a = exposed(file.url);
  const settings = { acceleration: { memory_mb: 1 }, metrics: { port: 0 } };
  const { post, service, change } = await serviceOf({ ...settings, databases: { a } });
  const keptReplies = async (): Promise<number | undefined> => {
    for (let asked = 0; asked < 3; asked++) await post(pageOf('a.notes', ['note']));
    const text = (await service.metricsApp?.inject('/metrics'))?.body ?? '';
    const labels = { mechanism: 'reply_cache', database: 'a' };
    return valueOf(readMetrics(text), 'dynamic_query_mechanism_hits_total', labels);
  };
  const before = await keptReplies();
  expect(before).toBeGreaterThan(0);
  const other = exposed(servers.postgres().url);
  const others = { b: other, c: other, d: other };
  expect(await change({ ...settings, databases: { a, ...others } })).toBe(true);
  // A reply may take a part of the memory, which this one then no longer fits into.
  expect(await keptReplies()).toBe(0);
  expect(await change({ ...settings, databases: { a } })).toBe(true);
  expect(await keptReplies()).toBe(before);
});
