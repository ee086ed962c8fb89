import { readFileSync, writeFileSync } from 'node:fs';

import { newPostgresDatabase, type TestDatabase } from '@proj/test-servers';
import { expect, it } from 'vitest';

import { sha256 } from '../src/access/tokens.ts';
import { readMetrics, valueOf } from './metrics-text.ts';
import { startServer } from './server-process.ts';
import { settingsFile } from './settings-files.ts';
import { watchList } from './watched.ts';

const TOKENS = ['north', 'south'];

interface Watchable {
  readonly port: number;
  readonly run: TestDatabase['client'];
  readonly metric: (name: string) => Promise<number | undefined>;
  /** Takes a token out of the settings, and has them read again. */
  readonly revoke: (name: string) => void;
}

/** @param login the role by which the service reads */
async function start(sql: string, settings: string, login: string): Promise<Watchable> {
  const database = await newPostgresDatabase();
  await database.client(sql);
  const tokens = TOKENS.map(tokenLine);
  const config = settingsFile(`database: ${database.url.replace('postgres@', `${login}@`)}
expose: all
metrics: { port: 0 }
limits: { watch_check_ms: 100 }
${settings}
tokens:
${tokens.join('\n')}
`);
  const { child, metricsUrl, port } = await startServer(['--config', config]);
  return {
    port,
    revoke: (name) => {
      writeFileSync(config, readFileSync(config, 'utf8').replace(tokenLine(name), ''));
      child.kill('SIGHUP');
    },
    run: async (text) => database.client(text),
    metric: async (name) => valueOf(readMetrics(await (await fetch(metricsUrl)).text()), name, {}),
  };
}

function tokenLine(name: string): string {
  return `  - { name: ${name}, role: caller, sha256: ${sha256(name)}, claims: { tenant: ${name} } }`;
}

it('a list of a followed table that is watched has an event after its own changes, and none after those of other tables', async () => {
  const sql = `
    create table notes (id int primary key, kind int);
    create table others (id int primary key);
    insert into notes values (1, 1), (2, 2);
    create publication dynamic_query for table notes, others`;
  const settings = `follow: true
roles: { caller: { models: all } }`;
  const { port, run, metric } = await start(sql, settings, 'postgres');
  const list = { query_model: 'notes', query_attributes: ['id'] };
  const filter = { attribute: 'kind', op: 'eq', value: 1 };
  const all = await watchList(port, list, { token: 'north' });
  const some = await watchList(port, { ...list, query_filter: filter }, { token: 'south' });
  const totals = () => [all.totals().at(-1), some.totals().at(-1)];
  await expect.poll(totals).toEqual(['2', '1']);
  await expect.poll(() => metric('dynamic_query_feed_following')).toBe(1);
  const others = await watchList(port, { ...list, query_model: 'others' }, { token: 'north' });
  // There may be a second event of the same total, as long as the log is late.
  await expect.poll(() => others.totals().at(-1)).toBe('0');
  let written = 0;
  // As long as the log is late, what is known of a list is what is known of the whole database.
  const readsOfFiveWrites = async (): Promise<number> => {
    const before = await metric('dynamic_query_watch_reads_total');
    for (let time = 0; time < 5; time += 1) {
      await run(`insert into others values (${++written})`);
      await expect.poll(() => others.totals().at(-1)).toBe(String(written));
    }
    return Number(await metric('dynamic_query_watch_reads_total')) - Number(before);
  };
  await expect.poll(readsOfFiveWrites).toBe(5);
  await run('insert into notes values (3, 1)');
  await expect.poll(totals).toEqual(['3', '2']);
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
  const { port, run } = await start(sql, settings, 'app');
  const list = { query_model: 'orders', query_attributes: ['id'] };
  const [north, south] = await Promise.all(TOKENS.map((token) => watchList(port, list, { token })));
  if (north === undefined || south === undefined) throw new Error('Two callers watch.');
  await expect.poll(() => [north.totals(), south.totals()]).toEqual([['1'], ['2']]);
  const seen: [string[], string[]] = [['1'], ['2']];
  for (let time = 0; time < 4; time += 1) {
    await run(`insert into orders values (${4 + 2 * time}, 'south')`);
    seen[1].push(String(3 + time));
    await expect.poll(south.totals).toEqual(seen[1]);
    await run(`insert into orders values (${5 + 2 * time}, 'north')`);
    seen[0].push(String(2 + time));
    await expect.poll(north.totals).toEqual(seen[0]);
  }
  // Nobody had an event of the other's changes.
  expect([north.totals(), south.totals()]).toEqual(seen);
  expect(south.events.every(({ data }) => data.version === undefined)).toBe(true);
  await run('alter policy own on orders using (false)');
  await expect.poll(() => [north.totals().at(-1), south.totals().at(-1)]).toEqual(['0', '0']);
  await run('revoke tenant from app');
  await north.ended;
  expect(north.events.at(-1)).toMatchObject({
    event: 'problem',
    data: { code: 'session_refused' },
  });
});

it.skipIf(process.platform === 'win32')(
  'a token that is revoked while it watches a followed list ends its own watch, and nothing else',
  async () => {
    const sql = `
      create table notes (id int primary key);
      create publication dynamic_query for table notes`;
    const settings = `follow: true
roles: { caller: { models: all } }`;
    const { port, run, metric, revoke } = await start(sql, settings, 'postgres');
    const list = { query_model: 'notes', query_attributes: ['id'] };
    const [revoked, other] = [
      await watchList(port, list, { token: 'north' }),
      await watchList(port, list, { token: 'south' }),
    ];
    await expect.poll(() => metric('dynamic_query_feed_following')).toBe(1);
    revoke('north');
    await revoked.ended;
    expect(revoked.events.at(-1)).toMatchObject({
      event: 'problem',
      data: { code: 'unauthenticated' },
    });
    for (const id of [1, 2]) {
      await run(`insert into notes values (${id})`);
      await expect.poll(() => other.totals().at(-1)).toBe(String(id));
    }
  },
);
