import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { EXPORT_FORMATS, WIRE_TYPES } from '@proj/contract';
import { type Engine, QueryFailedError } from '@proj/engine';
import { RunningExports } from '@proj/fastify/host';
import { newMariadbDatabase, newPostgresDatabase } from '@proj/test-servers';
import { expect, it } from 'vitest';

import { listen, sendTo, sharedService, startService } from '../helper.ts';
import { columnTypes, readParquet } from './duckdb.ts';
import { EXPORT_PATH, exportOf, LIST_OF_IDS } from './export-of.ts';
import { parquetThreads } from './parquet-threads.ts';

/** Where the file of a database has no log, an export has the time of a query. */
const SLOW_MACHINE = { queryTimeoutMs: 120_000 };

const service = await sharedService({
  settings: SLOW_MACHINE,
  sql: `create table notes (id integer primary key, word text);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
    insert into notes select i, iif(i % 7 = 0, null, printf('%0100d', i)) from n;`,
});

it('an export is a Parquet file where that is asked for, whole by its count', async () => {
  const list = { query_model: 'notes', query_attributes: ['word', 'id'] };
  const reply = await exportOf(service, list);
  expect(reply.headers).toMatchObject({
    'content-type': 'application/vnd.apache.parquet',
    'export-total': '20000',
  });
  expect(reply.trailers).toEqual({ 'export-count': '20000' });
  const sql = `select count(*)::int, count(word)::int, sum(id)::int, sum(word::int)::int,
    max(length(word))::int, list(id) = list_sort(list(id)) from file`;
  const words = 20_000 - 2857;
  const sum = (20_000 * 20_001) / 2;
  const sevenths = 7 * ((2857 * 2858) / 2);
  expect(await readParquet(reply.rawPayload, sql)).toEqual([
    [20_000, words, sum, sum - sevenths, 100, true],
  ]);
});

it('the same types come from PostgreSQL, exactly, groups and empty lists included', async () => {
  const database = await newPostgresDatabase();
  await database.client(`
    create type mood as enum ('calm', 'loud');
    create table things (
      id bigint primary key, small smallint, price numeric(12, 2), total numeric, wide numeric(50, 2),
      ratio double precision, ok boolean, day date, at time, moment timestamp, instant timestamptz,
      code uuid, data bytea, doc jsonb, tags text[], counts bigint[], mood mood, span interval);
    insert into things values (
      9223372036854775807, -3, -1234567890.12, 1e40, 7, 0.1, true, '2026-01-31', '23:59:59.999999',
      '2026-01-31 23:59:59.999999', '2026-01-31 23:59:59.999999+01',
      '7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11', '\\xdeadbeef', '{"a": [1.50]}', '{a,null,"b c"}',
      '{9007199254740993}', 'loud', '1 day');
    insert into things (id) values (1)`);
  const things = await startService({ settings: { database: database.url } });
  const names = [
    ['id', 'BIGINT', '9223372036854775807'],
    ['small', 'INTEGER', '-3'],
    ['price', 'DECIMAL(12,2)', '-1234567890.12'],
    ['total', 'VARCHAR', `1${'0'.repeat(40)}`],
    ['wide', 'VARCHAR', '7.00'],
    ['ratio', 'DOUBLE', '0.1'],
    ['ok', 'BOOLEAN', 'true'],
    ['day', 'DATE', '2026-01-31'],
    ['at', 'TIME', '23:59:59.999999'],
    ['moment', 'TIMESTAMP', '2026-01-31 23:59:59.999999'],
    ['instant', 'TIMESTAMP WITH TIME ZONE', '2026-01-31 22:59:59.999999+00'],
    ['code', 'UUID', '7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11'],
    ['data', 'BLOB', '\\xDE\\xAD\\xBE\\xEF'],
    ['doc', 'JSON', '{"a":[1.50]}'],
    ['tags', 'VARCHAR[]', '[a, NULL, b c]'],
    ['counts', 'BIGINT[]', '[9007199254740993]'],
    ['mood', 'VARCHAR', 'loud'],
    ['span', 'VARCHAR', '1 day'],
  ] as const;
  const list = { query_model: 'things', query_attributes: names.map(([name]) => name) };
  const { rawPayload: file } = await exportOf(things, {
    ...list,
    query_sort: [{ attribute: 'id', direction: 'desc' }],
  });
  expect(await columnTypes(file)).toEqual(
    Object.fromEntries(names.map(([name, type]) => [name, type])),
  );
  expect(await readParquet(file, 'select columns(*)::varchar from file')).toEqual([
    names.map(([, , value]) => value),
    ['1', ...names.slice(1).map(() => null)],
  ]);
  const groups = await exportOf(things, {
    query_model: 'things',
    query_groups: ['ok'],
    query_aggregates: [
      { name: 'n', op: 'count' },
      { name: 'sum', op: 'sum', attribute: 'price' },
    ],
    query_attributes: ['ok', 'n', 'sum'],
  });
  expect(await readParquet(groups.rawPayload, 'select columns(*)::varchar from file')).toEqual([
    ['true', '1', '-1234567890.12'],
    [null, '1', null],
  ]);
  const none = { attribute: 'id', op: 'eq', value: '2' };
  const empty = await exportOf(things, { ...list, query_filter: none });
  expect(await readParquet(empty.rawPayload, 'select count(*)::int from file')).toEqual([[0]]);
});

it('MariaDB keeps whole numbers of 64 bits without a sign, and times longer than a day', async () => {
  const database = await newMariadbDatabase();
  await database.client(`create table things (id bigint unsigned primary key, price decimal(6, 2),
    at time(6), moment datetime(6));
    insert into things values (18446744073709551615, -12.5, '-838:59:59', '9999-12-31 23:59:59.5')`);
  const things = await startService({ settings: { database: database.url } });
  const query_attributes = ['id', 'price', 'at', 'moment'];
  const { rawPayload } = await exportOf(things, { query_model: 'things', query_attributes });
  expect(await columnTypes(rawPayload)).toEqual({
    id: 'UBIGINT',
    price: 'DECIMAL(6,2)',
    at: 'VARCHAR',
    moment: 'TIMESTAMP',
  });
  expect(await readParquet(rawPayload, 'select columns(*)::varchar from file')).toEqual([
    ['18446744073709551615', '-12.50', '-838:59:59', '9999-12-31 23:59:59.5'],
  ]);
});

it('groups by hours of a time zone have the instant of each hour', async () => {
  const { app } = await startService({
    sql: `create table visits (id integer primary key, at timestamptz);
      insert into visits values (1, '2024-10-27 00:30:00Z'), (2, '2024-10-27 01:30:00Z'), (3, null);`,
  });
  const { rawPayload } = await exportOf(
    { app },
    {
      query_model: 'visits',
      query_groups: [{ attribute: 'at', by: 'hour', time_zone: 'Europe/Paris' }],
      query_aggregates: [{ name: 'visits', op: 'count' }],
      query_attributes: ['at.hour', 'visits'],
    },
  );
  expect(await readParquet(rawPayload, 'select columns(*)::varchar from file')).toEqual([
    ['2024-10-27 00:00:00+00', '1'],
    ['2024-10-27 01:00:00+00', '1'],
    [null, '1'],
  ]);
});

/** An export that begins, writes a record, and fails. */
const failing: Engine['export'] = async (_body, _grant, { sink }) => {
  await sink.begin({ ...LIST_OF_IDS, total: 2n });
  await sink.write({ text: '{"id":1}\n', records: 1 });
  throw new QueryFailedError('database_unavailable', 'gone');
};

it('an export as Parquet that cannot be finished leaves bytes that nobody takes for a file', async () => {
  const threads = parquetThreads();
  const exports = new RunningExports();
  const { app } = await startService({
    over: service,
    stub: { export: failing },
    parts: { exports },
  });
  const port = await listen(app);
  const list = { query_model: 'cities', query_attributes: ['id'] };
  const { body } = await sendTo(`http://127.0.0.1:${port}`, list, {
    path: EXPORT_PATH,
    headers: { accept: EXPORT_FORMATS.parquet.type },
  });
  const parts: Uint8Array[] = [];
  const read = async (): Promise<void> => {
    for await (const bytes of body ?? []) parts.push(bytes);
  };
  await expect(read()).rejects.toThrow('terminated');
  expect('PAR1'.startsWith(Buffer.concat(parts).toString())).toBe(true);
  expect([...exports.cut]).toEqual([['database_unavailable', 1]]);
  await expect.poll(parquetThreads).toBe(threads);
});

it('the page of the contract says of every type what it is in a Parquet file', () => {
  const page = readFileSync(
    join(import.meta.dirname, '../../../../docs/reference/contract.md'),
    'utf8',
  );
  const [, section = ''] = /^### Parquet$(.*?)^## /ms.exec(page) ?? [];
  const named = new Set([...section.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(Object.keys(WIRE_TYPES).filter((type) => !named.has(type))).toEqual([]);
});
