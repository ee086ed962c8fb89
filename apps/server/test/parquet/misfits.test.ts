import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import type { Engine } from '@proj/engine';
import { eachNth, newMariadbDatabase, newPostgresDatabase } from '@proj/test-servers';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';

import { openLimits } from '../../src/limits/limits.ts';
import { rateLimitSettings } from '../../src/settings/groups/rate-limits.ts';
import { type Service, type ServiceOptions, startService } from '../helper.ts';
import { readParquet } from './duckdb.ts';
import { exportOf, LIST_OF_IDS } from './export-of.ts';

/** A service and what it logs. */
async function loggedService(
  options: ServiceOptions,
): Promise<{ service: Service; log: () => string }> {
  let text = '';
  const logStream = { write: (line: string) => void (text += line) };
  const service = await startService({ ...options, logLevel: 'info', parts: { logStream } });
  return { service, log: () => text };
}

it('a value that a column cannot hold is a problem that names its attribute, and nothing of the file', async () => {
  const { service, log } = await loggedService({
    sql: `create table odd (id integer primary key, n integer);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 9999)
      insert into odd select i, i from n union all select 10000, 10000.5;`,
  });
  const list = { query_model: 'odd', query_attributes: ['id', 'n'] };
  const reply = await exportOf(service, list);
  expect(reply.json()).toMatchObject({
    status: 422,
    code: 'data_error',
    detail: expect.stringMatching(/^The attribute "n" has a value .* Export it as CSV or JSON/),
  });
  expect(reply.body + log()).not.toContain('10000.5');
  expect((await exportOf(service, list, 'text/csv')).body).toContain('10000,10000.5\r\n');
  const fitting = { attribute: 'n', op: 'lt', value: '10000' };
  const { rawPayload } = await exportOf(service, { ...list, query_filter: fitting });
  expect(await readParquet(rawPayload, 'select count(*)::int from file')).toEqual([[9999]]);
});

it('an export that is refused for a value counts nothing against the quota of records', async () => {
  const rations = rateLimitSettings.parse({ rows_per_day: 3 });
  const limits = await openLimits(rations, { log: pino({ level: 'silent' }) });
  const service = await startService({
    sql: `create table odd (id integer primary key, n integer);
      insert into odd values (1, 1), (2, 1.5), (3, 3);`,
    parts: { limits },
  });
  const list = { query_model: 'odd', query_attributes: ['id', 'n'] };
  expect((await exportOf(service, list)).json()).toMatchObject({ code: 'data_error' });
  const { headers, body } = await exportOf(service, list, 'text/csv');
  expect(body).toBe('id,n\r\n1,1\r\n2,1.5\r\n3,3\r\n');
  expect(headers['ratelimit']).toContain('"rows-per-day";r=0');
  const one = { ...list, query_filter: { attribute: 'id', op: 'eq', value: '1' } };
  expect((await exportOf(service, one)).json()).toMatchObject({ code: 'quota_exceeded' });
});

/** Exports a list of one record whose `id` is no whole number. */
const exportHalf: Engine['export'] = async (_body, _grant, { sink }) => {
  await sink.begin(LIST_OF_IDS);
  await sink.write({ text: '{"id":1.5}\n', records: 1 });
};

it('a value of which nothing was known cuts the export, and the log names the attribute alone', async () => {
  const { service, log } = await loggedService({ stub: { export: exportHalf } });
  const list = { query_model: 'cities', query_attributes: ['id'] };
  await expect(exportOf(service, list)).rejects.toThrow(/destroyed|cut/i);
  expect(log()).toMatch(/The attribute \\"id\\" has a value that its column/);
  expect(log()).not.toContain('1.5');
});

/** Types of columns, with values that theirs of a file cannot hold, and such that it can. */
type Columns = Readonly<
  Record<string, { readonly refused: readonly string[]; readonly held: readonly string[] }>
>;

const OF_POSTGRES: Columns = {
  date: { refused: ["'infinity'", "'-infinity'"], held: ["'5874897-12-31'", "'4713-12-31 BC'"] },
  timestamp: {
    refused: ["'infinity'", "'-infinity'", "'294247-01-10 04:00:54.775807'"],
    held: ["'294247-01-10 04:00:54.775806'"],
  },
  timestamptz: {
    refused: ["'infinity'", "'-infinity'", "'294276-12-31 00:00Z'"],
    held: ["'294247-01-10 04:00:54Z'"],
  },
  'numeric(12, 2)': { refused: ["'NaN'"], held: ["'-0.01'"] },
  'numeric(50, 2)': { refused: [], held: ["'NaN'"] },
  numeric: { refused: [], held: ["'NaN'"] },
  'int[]': { refused: ["'{{1},{2}}'"], held: ["'{1,null}'", "'{}'"] },
  'text[]': { refused: ["'{{1},{2}}'"], held: ["'{1,infinity}'"] },
  'date[]': { refused: ["'{2026-01-01,infinity}'", "'{-infinity}'"], held: ["'{2026-01-01}'"] },
  'timestamptz[]': { refused: ["'{294276-12-31}'", "'{{2026-01-01}}'"], held: ["'{null}'"] },
  'jsonb[]': { refused: [], held: ["'{{1},{2}}'"] },
  float8: { refused: [], held: ["'NaN'", "'-infinity'"] },
  time: { refused: [], held: ["'24:00'"] },
};

const OF_MARIADB: Columns = {
  'date not null': { refused: ["'0000-00-00'", "'2026-00-01'"], held: ["'2026-12-31'"] },
  datetime: { refused: ["'0000-00-00'"], held: ["'2026-12-31 23:59:59'", "'0001-01-01'"] },
  'timestamp not null': { refused: ["'0000-00-00'"], held: ["'2026-12-31 23:59:59'"] },
  boolean: { refused: ['2', '-1'], held: ['1'] },
  'bigint unsigned': { refused: [], held: ['18446744073709551615'] },
};

const OF_SQLITE: Columns = {
  integer: {
    refused: ['1.5', "'x'", "x'00'", '1e300'],
    held: ['-9223372036854775808', '2.0'],
  },
  real: { refused: ["''", "'0x10'"], held: ['9e999', '7'] },
  boolean: { refused: ['2', "'x'"], held: ['1'] },
  date: { refused: ["'2026-02-30'", "'x'", "'0000-01-01'"], held: ["'2026-02-28'"] },
  datetime: {
    refused: ["'2026-02-28 10:00:00.1234567'", "'0000-12-31 23:59:59'", '5'],
    held: ["'2026-02-28 10:00:00.1234560'", "'0001-01-01'"],
  },
  timestamptz: {
    refused: ["'2026-02-28T10:00:00.1234567+01:00'", "'0001-01-01 00:00:00+14:00'"],
    held: ["'2026-02-28T10:00:00.123456+01:00'"],
  },
  uuid: { refused: ["'x'"], held: ["'7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11'"] },
  decimal: { refused: [], held: ['9e999'] },
};

const OF_DUCKDB: Columns = {
  date: { refused: ["'infinity'", "'-infinity'"], held: ["'5881580-07-10'", "'0044-03-15 (BC)'"] },
  timestamp: { refused: ["'infinity'"], held: ["'294247-01-10 04:00:54.775806'"] },
  timestamptz: { refused: ["'-infinity'"], held: ["'0044-03-15 (BC) 10:00:00+00'"] },
  timestamp_s: { refused: ["'infinity'"], held: ["'2026-01-31 10:00:00'"] },
  timestamp_ns: { refused: [], held: ["'2026-01-31 10:00:00.123456789'"] },
  time_ns: { refused: [], held: ["'23:59:59.999999999'"] },
  'date[]': { refused: ["['2026-01-01', 'infinity']"], held: ["['2026-01-01', null]", '[]'] },
  'timestamp_ns[]': { refused: [], held: ["['2026-01-31 10:00:00.123456789']"] },
  'varchar[]': { refused: [], held: ["['infinity']"] },
  double: { refused: [], held: ["'nan'", "'-inf'"] },
};

/** The columns that each hold one value, of one of the two kinds. */
function columnsOf(columns: Columns, kind: 'refused' | 'held'): [type: string, value: string][] {
  return Object.entries(columns).flatMap(([type, values]) =>
    values[kind].map((value): [string, string] => [type, value]),
  );
}

function tableOf(name: string, columns: readonly (readonly [string, string])[]): string {
  const declared = columns.map(([type], index) => `, v${index} ${type}`).join('');
  const values = columns.map(([, value]) => `, ${value}`).join('');
  return `create table ${name} (id int primary key${declared});
    insert into ${name} values (1${values});`;
}

async function serviceOver(
  newDatabase: () => Promise<{ url: string; client: (sql: string) => Promise<unknown> }>,
  sql: string,
): Promise<Service> {
  const database = await newDatabase();
  await database.client(sql);
  return startService({ settings: { database: database.url } });
}

async function duckdbService(sql: string): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'duckdb-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'data.duckdb');
  const instance = await DuckDBInstance.create(file, { threads: '1' });
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
  return startService({ settings: { database: `duckdb:${file}` } });
}

it.each<[string, Columns, (sql: string) => Promise<Service>]>([
  ['PostgreSQL', OF_POSTGRES, (sql) => serviceOver(newPostgresDatabase, sql)],
  ['MariaDB', OF_MARIADB, (sql) => serviceOver(newMariadbDatabase, sql)],
  ['SQLite', OF_SQLITE, (sql) => startService({ sql })],
  ['DuckDB', OF_DUCKDB, duckdbService],
])(
  'on %s no value of a column is found unfit after the first byte',
  async (_name, columns, open) => {
    // Each refusal ends the reader of SQLite, so that the next export starts another one.
    const refused = eachNth(3, columnsOf(columns, 'refused'));
    const held = columnsOf(columns, 'held');
    const service = await open(tableOf('refused', refused) + tableOf('held', held));
    const statusOf = async (query_model: string, ...names: string[]): Promise<number> =>
      (await exportOf(service, { query_model, query_attributes: ['id', ...names] })).statusCode;
    const found: unknown[] = [];
    for (const [index, [type, value]] of refused.entries())
      found.push([type, value, await statusOf('refused', `v${index}`)]);
    expect(found).toEqual(refused.map(([type, value]) => [type, value, 422]));
    expect(await statusOf('held', ...held.map((_, index) => `v${index}`))).toBe(200);
  },
);
