import { setTimeout as sleep } from 'node:timers/promises';

import { startPostgres, type TestServer } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { sha256 } from '../src/access/tokens.ts';
import { randomPort } from './helper.ts';
import { readMetrics, valueOf } from './metrics-text.ts';
import { startServer } from './server-process.ts';
import { settingsFile } from './settings-files.ts';
import { watchList } from './watched.ts';

const POLLING = { timeout: 30_000 };

/** Long enough for several looks at a list. */
const SEVERAL_LOOKS_MS = 600;

const TOKENS = ['north', 'south'];

interface Watchable {
  readonly port: number;
  readonly run: TestServer['client'];
  readonly metric: (name: string) => Promise<number | undefined>;
}

/** The role by which the service reads, and the settings of the server. */
interface ServerOptions {
  readonly login: string;
  readonly settings?: Record<string, string>;
}

async function start(
  sql: string,
  settings: string,
  { login, ...options }: ServerOptions,
): Promise<Watchable> {
  const server = await startPostgres(options);
  onTestFinished(() => server.stop());
  await server.client(sql);
  const metricsPort = randomPort();
  const tokens = TOKENS.map(
    (name) =>
      `  - { name: ${name}, role: caller, sha256: ${sha256(name)}, claims: { tenant: ${name} } }`,
  );
  const config = settingsFile(`database: ${server.url.replace('postgres@', `${login}@`)}
expose: all
metrics: { port: ${metricsPort} }
limits: { watch_check_ms: 100 }
${settings}
tokens:
${tokens.join('\n')}
`);
  const { port } = await startServer(['--config', config]);
  return {
    port,
    run: (statements) => server.client(statements),
    metric: async (name) => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return valueOf(readMetrics(text), name, {});
    },
  };
}

it('a list of a followed table that is watched has an event after its own changes, and none after those of other tables', async () => {
  const sql = `
    create table notes (id int primary key, kind int);
    create table others (id int primary key);
    insert into notes values (1, 1), (2, 2);
    create publication dynamic_query for table notes, others`;
  const settings = `follow: true
roles: { caller: { models: all } }`;
  const { port, run, metric } = await start(sql, settings, {
    login: 'postgres',
    settings: { wal_level: 'logical' },
  });
  const list = { query_model: 'notes', query_attributes: ['id'] };
  const filter = { attribute: 'kind', op: 'eq', value: 1 };
  const all = await watchList(port, list, { token: 'north' });
  const some = await watchList(port, { ...list, query_filter: filter }, { token: 'south' });
  const totals = () => [all.totals().at(-1), some.totals().at(-1)];
  await expect.poll(totals, POLLING).toEqual(['2', '1']);
  await expect.poll(() => metric('dynamic_query_feed_following'), POLLING).toBe(1);
  let others = 0;
  // As long as the log is late, what is known of a list is what is known of the whole database.
  const readsAfterWrite = async (): Promise<number> => {
    const before = await metric('dynamic_query_watch_reads_total');
    await run(`insert into others values (${++others})`);
    await sleep(SEVERAL_LOOKS_MS);
    return Number(await metric('dynamic_query_watch_reads_total')) - Number(before);
  };
  await expect.poll(readsAfterWrite, POLLING).toBe(0);
  await run('insert into notes values (3, 1)');
  await expect.poll(totals, POLLING).toEqual(['3', '2']);
});

it('a list that is watched by callers of the database is that of each of them, and changes with their policy', async () => {
  const sql = `
    create role app login noinherit;
    create role tenant nologin;
    grant tenant to app;
    create table orders (id int primary key, tenant text not null);
    insert into orders values (1, 'north'), (2, 'south'), (3, 'south');
    alter table orders enable row level security;
    create policy own on orders for select to tenant
      using (tenant = current_setting('app.tenant'));
    grant select on orders to tenant`;
  const settings = `roles:
  caller:
    models: all
    database_session: { role: tenant, settings: { app.tenant: $claims.tenant } }`;
  const { port, run } = await start(sql, settings, { login: 'app' });
  const list = { query_model: 'orders', query_attributes: ['id'] };
  const [north, south] = await Promise.all(TOKENS.map((token) => watchList(port, list, { token })));
  if (north === undefined || south === undefined) throw new Error('Two callers watch.');
  await expect.poll(() => [north.totals(), south.totals()], POLLING).toEqual([['1'], ['2']]);
  await run(`insert into orders values (4, 'south')`);
  await expect.poll(south.totals, POLLING).toEqual(['2', '3']);
  await sleep(SEVERAL_LOOKS_MS);
  await run(`insert into orders values (5, 'north')`);
  await expect.poll(north.totals, POLLING).toEqual(['1', '2']);
  await sleep(SEVERAL_LOOKS_MS);
  expect(south.totals()).toEqual(['2', '3']);
  expect(south.events.every(({ data }) => data.version === undefined)).toBe(true);
  await run('alter policy own on orders using (false)');
  await expect
    .poll(() => [north.totals().at(-1), south.totals().at(-1)], POLLING)
    .toEqual(['0', '0']);
  await run('revoke tenant from app');
  await north.ended;
  expect(north.events.at(-1)).toMatchObject({
    event: 'problem',
    data: { code: 'session_refused' },
  });
});
