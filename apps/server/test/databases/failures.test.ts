import { until } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { sha256 } from '../../src/access/tokens.ts';
import { orderDatabases, ordersFile, pageOf, serviceOf } from './service-of-several.ts';

const servers = orderDatabases();

function settingsOf(urls: Readonly<Record<string, string>>) {
  const databases = Object.entries(urls).map(([name, url]) => [name, { url, expose: 'all' }]);
  return { databases: Object.fromEntries(databases) as Record<string, object> };
}

function settingsOfThree() {
  return settingsOf({
    shop: servers.postgres().url,
    crm: servers.mariadb().url,
    local: ordersFile(14).url,
  });
}

it('a stopped database leaves the others alone, and readiness says which is away', async () => {
  const { total, get, models, post } = await serviceOf(settingsOfThree());
  const known = await models();
  servers.postgres().halt();
  onTestFinished(servers.postgres().restore);
  const refused = await post(pageOf('shop.orders'));
  expect(refused.statusCode).toBe(503);
  expect(refused.headers['retry-after']).toBe('1');
  expect(refused.json()).toMatchObject({ code: 'database_unavailable' });
  expect(await total('crm.orders')).toBe('13');
  expect(await total('local.orders')).toBe('14');
  expect(await models()).toEqual(known);
  const ready = await get('/readyz');
  expect(ready.statusCode).toBe(200);
  expect(ready.json()).toEqual({
    status: 'ready',
    databases: { shop: 'away', crm: 'answers', local: 'answers' },
  });
  servers.postgres().restore();
  await until(async () => (await total('shop.orders')) === '12');
  await until(async () => (await get('/readyz')).json<Ready>().databases.shop === 'answers');
});

interface Ready {
  readonly databases: Readonly<Record<string, string>>;
}

it('a frozen database leaves the others alone, and readiness does not wait for it', async () => {
  const { total, get } = await serviceOf(settingsOfThree());
  servers.mariadb().freeze();
  onTestFinished(servers.mariadb().restore);
  const frozen = total('crm.orders');
  expect(await total('shop.orders')).toBe('12');
  expect(await total('local.orders')).toBe('14');
  const ready = await get('/readyz');
  expect(ready.json()).toMatchObject({
    status: 'ready',
    databases: { shop: 'answers', crm: 'away', local: 'answers' },
  });
  servers.mariadb().restore();
  // The probe may have given up its connection.
  expect(await frozen).toMatch(/^(13|database_unavailable)$/);
  await until(async () => (await total('crm.orders')) === '13');
});

it('no database that answers means that the service is not ready', async () => {
  const { get } = await serviceOf(settingsOf({ shop: servers.postgres().url }));
  servers.postgres().halt();
  onTestFinished(servers.postgres().restore);
  const unready = await get('/readyz');
  expect(unready.statusCode).toBe(503);
  expect(unready.json()).toMatchObject({ code: 'database_unavailable' });
  servers.postgres().restore();
  await until(async () => (await get('/readyz')).statusCode === 200);
});

it('a database that is away at the start is waited for while the others are served', async () => {
  servers.postgres().halt();
  onTestFinished(servers.postgres().restore);
  const roles = {
    clerk: { models: { 'shop.orders': {} } },
    other: { models: { 'crm.orders': {} } },
  };
  const tokens = Object.keys(roles).map((role) => ({ name: role, role, sha256: sha256(role) }));
  const { total, models, lines, service } = await serviceOf(
    {
      ...settingsOfThree(),
      roles,
      tokens,
    },
    ['shop'],
  );
  expect(service.warnings.join('\n')).toMatch(
    /^shop: The database does not answer: until it does, its models get 503\. .*(ECONNRESET|terminated)/m,
  );
  expect(await total('crm.orders')).toBe('13');
  expect(await total('shop.orders')).toBe('database_unavailable');
  expect(await total('shop.orders', 'clerk')).toBe('database_unavailable');
  // Whoever may not see a model does not learn that its database has one.
  expect(await total('shop.orders', 'other')).toBe('unknown_model');
  expect(await models()).toEqual([
    'crm.customers',
    'crm.orders',
    'local.customers',
    'local.orders',
  ]);
  servers.postgres().restore();
  await until(async () => (await total('shop.orders', 'clerk')) === '12');
  expect(await models()).toContain('shop.orders');
  const ofWait = lines.filter(({ database }) => database === 'shop').map(({ msg }) => msg);
  expect(ofWait).toContain('the database answers');
});

it('a wrong password keeps one database away, which is tried again', async () => {
  const mariadb = servers.mariadb();
  const url = new URL(mariadb.url);
  url.username = 'late_reader';
  url.password = 'secret';
  const { total, service } = await serviceOf(
    settingsOf({ shop: servers.postgres().url, crm: url.href }),
    ['crm'],
  );
  expect(service.warnings.join('\n')).toMatch(/^crm: .*Access denied for user 'late_reader'/m);
  expect(await total('shop.orders')).toBe('12');
  expect(await total('crm.orders')).toBe('database_unavailable');
  const name = url.pathname.slice(1);
  await mariadb.client(
    `create user late_reader identified by 'secret'; grant select on ${name}.* to late_reader;`,
  );
  onTestFinished(async () => void (await mariadb.client('drop user late_reader')));
  await until(async () => (await total('crm.orders')) === '13');
});

it('a late database whose models do not fit the settings stays away, and the log says why', async () => {
  servers.postgres().halt();
  onTestFinished(servers.postgres().restore);
  const settings = settingsOf({ crm: servers.mariadb().url });
  const databases = {
    ...settings.databases,
    shop: { url: servers.postgres().url, models: { added: { attributes: 'all' } } },
  };
  const { total, lines } = await serviceOf({ databases }, ['shop']);
  servers.postgres().restore();
  await until(() =>
    lines.some(({ database, reason }) => database === 'shop' && /models\.added/.test(reason ?? '')),
  );
  expect(await total('shop.added')).toBe('database_unavailable');
  expect(await total('crm.orders')).toBe('13');
  await servers.postgres().client('create table added (id integer primary key)');
  await until(async () => (await total('shop.added')) === '0');
  await servers.postgres().client('drop table added');
});

it('`startup: exit` ends the start where one of the databases is away', async () => {
  const settings = settingsOf({ shop: 'postgres://127.0.0.1:1/shop', local: ordersFile(1).url });
  await expect(serviceOf({ ...settings, startup: 'exit' })).rejects.toThrow(
    /^shop: .*ECONNREFUSED/,
  );
});

it('a connection string that is wrong ends the start, with the name of its database', async () => {
  const settings = settingsOf({ shop: ordersFile(1).url, crm: 'oracle://db/crm' });
  await expect(serviceOf(settings)).rejects.toThrow(/^crm: .*database: expected a URL that begins/);
});
