import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { newMariadbDatabase, newPostgresDatabase, until } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';
import { parse, stringify } from 'yaml';

import { CLOSING, sendTo, temporaryDatabase } from '../helper.ts';
import { runHere } from '../run-here.ts';
import { startServer } from '../server-process.ts';
import {
  ADMIN_TOKEN,
  orderDatabases,
  ordersFile,
  pageOf,
  serviceOf,
} from './service-of-several.ts';

const servers = orderDatabases();

const ENV = { DYNAMIC_QUERY_ADMIN_TOKEN: ADMIN_TOKEN };

/** A settings file for a process of its own. */
function configOf(settings: object): string {
  const config = join(temporaryDatabase().directory, 'settings.yaml');
  writeFileSync(config, stringify(settings), { mode: 0o600 });
  return config;
}

function threeDatabases() {
  return {
    shop: { url: servers.postgres().url, expose: 'all' },
    crm: { url: servers.mariadb().url, expose: 'all' },
    local: { url: ordersFile(14).url, expose: 'all', prefix: 'none' },
  };
}

it('metrics of engines have the label database, and say which database answers', async () => {
  const settings = { databases: threeDatabases(), metrics: { port: 0 } };
  const { service, total } = await serviceOf(settings);
  const read = async () => (await service.metricsApp?.inject('/metrics'))?.body ?? '';
  await total('shop.orders');
  await total('shop.orders');
  const text = await read();
  expect(text).toMatch(
    /^dynamic_query_mechanism_misses_total\{mechanism="total_cache",database="shop"\} [1-9]/m,
  );
  expect(text).toMatch(
    /^dynamic_query_mechanism_misses_total\{mechanism="total_cache",database="crm"\} 0$/m,
  );
  expect(text).toMatch(/^dynamic_query_database_answers\{database="local"\} 1$/m);
  // One metric is described once, or Prometheus refuses all of them.
  const described = [...text.matchAll(/^# HELP (\w+)/gm)].map(([, name]) => name);
  expect(described.length).toBe(new Set(described).size);
  expect(described).toContain('dynamic_query_watched_lists');
  servers.postgres().halt();
  onTestFinished(servers.postgres().restore);
  await until(async () => /_answers\{database="shop"\} 0$/m.test(await read()));
});

it('metrics of one database have no label database', async () => {
  const { url } = ordersFile(1);
  const { service } = await serviceOf({ database: url, expose: 'all', metrics: { port: 0 } });
  const text = (await service.metricsApp?.inject('/metrics'))?.body ?? '';
  expect(text).toContain('dynamic_query_mechanism_misses_total{mechanism="reply_cache"} 0');
  expect(text).not.toContain('database=');
});

it('check names the database of each line, and lists the errors of all', async () => {
  const good = await runHere(['check', '--config', configOf({ databases: threeDatabases() })], ENV);
  expect(good.code).toBeUndefined();
  expect(good.stdout).toMatch(/^shop: workers: 1 takes up to \d+ connections to the database/m);
  expect(good.stdout).toMatch(/^local: limits\.export_timeout_ms: the SQLite file has no/m);
  expect(good.stdout).toMatch(
    /^No errors\. Models: shop\.customers, shop\.orders, crm\.customers, crm\.orders, customers, orders$/m,
  );
  const databases = {
    ...threeDatabases(),
    shop: { url: servers.postgres().url, models: { nothing: {} } },
    gone: { url: 'postgres://127.0.0.1:1/gone', expose: 'all' },
  };
  const roles = { a: { models: { 'crm.nothing': {}, 'gone.anything': {} } } };
  const bad = await runHere(['check', '--config', configOf({ databases, roles })], ENV);
  expect(bad).toMatchObject({ code: 1 });
  expect(bad.stderr).toMatch(/^(dynamic-query: )?shop: .*models\.nothing: /m);
  expect(bad.stderr).toMatch(/^gone: database: it cannot be read \(.*ECONNREFUSED/m);
  expect(bad.stderr).toMatch(/roles\.a\.models\."?crm\.nothing"?: There is no such model/);
  expect(bad.stderr).not.toContain('gone.anything');
});

it('several workers serve several databases, of which one is away', async () => {
  const databases = {
    crm: { url: servers.mariadb().url, expose: 'all' },
    gone: { url: 'postgres://127.0.0.1:1/gone', expose: 'all' },
  };
  const config = configOf({ databases, workers: 2 });
  const { origin, service } = await serverOf(config);
  const ask = async (model: string): Promise<unknown> =>
    (await sendTo(origin, pageOf(model), { token: ADMIN_TOKEN, headers: CLOSING })).json();
  for (let asked = 0; asked < 6; asked++) {
    expect(await ask('crm.orders')).toMatchObject({ page: { total: '13' } });
    expect(await ask('gone.orders')).toMatchObject({ code: 'database_unavailable' });
  }
  const next = { ...databases, more: { url: servers.postgres().url, expose: 'all' } };
  writeFileSync(config, stringify({ databases: next, workers: 2 }), { mode: 0o600 });
  await until(async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => ask('more.orders')));
    return replies.every((one) => JSON.stringify(one).includes('"total":"12"'));
  });
  expect(service.output()).toContain('gone: The database does not answer');
});

async function serverOf(config: string) {
  const service = await startServer(['serve', '--config', config], ENV);
  return { service, origin: service.origin };
}

it('init writes a settings file of several databases, which check accepts', async () => {
  const [shop, crm] = [ordersFile(1), ordersFile(2)];
  const file = join(temporaryDatabase().directory, 'drafted.yaml');
  const named = ['--database', `shop=${shop.url}`, '--database', `crm=${crm.url}`];
  expect((await runHere(['init', ...named, '--output', file])).code).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toMatch(/^databases:\n {2}shop:\n {4}url: sqlite:/m);
  const checked = await runHere(['check', '--config', file], ENV);
  expect(checked.stdout).toMatch(/^No errors\. Models: shop\.customers, .*crm\.orders$/m);
  const twice = ['--database', `a=${shop.url}`, '--database', `a=${crm.url}`];
  expect(await runHere(['init', ...twice, '--output', '-'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/each of several needs a name of its own/) as string,
  });
});

it('check --propose-keys prints the keys that it finds below the name of each database', async () => {
  const made = await Promise.all([newPostgresDatabase(), newMariadbDatabase()]);
  const [shop, crm] = made.map(({ url }) => ({ url, expose: 'all' }));
  for (const database of made)
    await database.client(`create table items (part int, line int, note varchar(9), big text);
      insert into items values (1, 1, 'x', 'a'), (1, 2, 'x', null), (2, 1, null, 'b');
      create view notes as select note, count(*) as times from items where note = 'x' group by note`);
  const config = configOf({ databases: { shop, crm } });
  const { code, stdout } = await runHere(['check', '--propose-keys', '--config', config], ENV);
  expect(code).toBeUndefined();
  const items = { key: ['part', 'line'], attributes: 'all' };
  expect(parse(stdout)).toEqual({
    databases: { shop: { models: { items } }, crm: { models: { items } } },
  });
  expect(stdout).toContain('# shop: notes: has too few rows to see what is unique: 1.\n');
});
