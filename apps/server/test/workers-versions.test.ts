import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { createClient, listChange } from '@proj/client';
import {
  eachNth,
  newMariadbDatabase,
  newMysqlDatabase,
  newPostgresDatabase,
  type TestDatabase,
  until,
} from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { cityQuery, QUERY_PATH, writeTo } from './helper.ts';
import { startWorkers, TOKEN } from './two-workers.ts';

const CITIES = Array.from({ length: 42 }, (_, n) => `(${n + 1}, 'city ${n + 1}')`).join(', ');

const SQL = `
  create table cities (id int primary key, name varchar(50) not null);
  create table elsewhere (id int);
  insert into cities values ${CITIES};`;

const REQUESTS = 8;

interface Served {
  readonly settings: object;
  /** @param file the database, where the service has a file */
  readonly write: (sql: string, file: string) => Promise<unknown>;
}

async function servedBy(database: TestDatabase, settings: object = {}): Promise<Served> {
  await database.client(SQL);
  return {
    settings: { database: database.url, ...settings },
    write: (sql) => database.client(sql),
  };
}

async function runInDuckdb(...statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dynamic-query-workers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function duckdbFile(): Promise<Served> {
  const file = join(newFolder(), 'cities.duckdb');
  const copy = `${file}.new`;
  await runInDuckdb(`attach '${file}' as own`, 'use own', SQL);
  return {
    settings: { database: `duckdb:${file}` },
    write: async (sql) => {
      const copying = [`attach '${file}' as old (read_only)`, `attach '${copy}' as new`];
      await runInDuckdb(...copying, 'copy from database old to new', 'use new', sql);
      renameSync(copy, file);
    },
  };
}

async function parquetFile(): Promise<Served> {
  const file = join(newFolder(), 'cities.parquet');
  const save = `copy cities to '${file}.new' (format parquet)`;
  await runInDuckdb(SQL, save);
  renameSync(`${file}.new`, file);
  return {
    settings: { database: 'duckdb:', models: { cities: { files: file, key: ['id'] } } },
    write: async (sql) => {
      await runInDuckdb(`create table cities as from '${file}'`, sql, save);
      renameSync(`${file}.new`, file);
    },
  };
}

const DATABASES = {
  SQLite: async (): Promise<Served> => ({
    settings: {},
    write: async (sql, file) => writeTo(file, sql),
  }),
  PostgreSQL: async () => servedBy(await newPostgresDatabase()),
  'followed PostgreSQL': async () => {
    const database = await newPostgresDatabase();
    const served = await servedBy(database, { follow: true });
    await database.client('create publication dynamic_query for table cities, elsewhere');
    return served;
  },
  MariaDB: async () => servedBy(await newMariadbDatabase()),
  MySQL: async () => servedBy(await newMysqlDatabase()),
  'a DuckDB file': duckdbFile,
  'Parquet files': parquetFile,
};

/** Each request has a connection of its own, so that both workers answer some. */
function fetchAnew(request: Request): Promise<Response> {
  return fetch(request, {
    headers: { ...Object.fromEntries(request.headers), connection: 'close' },
  });
}

/** What a service answers to equal requests at once. */
async function repliesOf(origin: string, etag?: string): Promise<Response[]> {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    ...(etag !== undefined && { 'if-none-match': etag }),
  };
  const body = JSON.stringify(cityQuery(1, 1));
  const ask = (): Promise<Response> =>
    fetchAnew(new Request(origin + QUERY_PATH, { method: 'QUERY', headers, body }));
  return Promise.all(Array.from({ length: REQUESTS }, ask));
}

async function valuesOf(origin: string, header: string): Promise<(string | null)[]> {
  return [...new Set((await repliesOf(origin)).map(({ headers }) => headers.get(header)))];
}

/** A fresh write has no version yet, and servers write for themselves at first. */
async function oneOf(origin: string, header: string): Promise<string> {
  let values: (string | null)[] = [];
  await until(async () => {
    values = await valuesOf(origin, header);
    return values.length === 1 && values[0] !== null;
  });
  return values[0] ?? '';
}

/** The processes that have answered. */
function processesOf(output: string): Set<string | undefined> {
  const lines = output.split('\n').filter((line) => line.includes('"msg":"answered"'));
  return new Set(lines.map((line) => /"pid":(\d+)/.exec(line)?.[1]));
}

const NAMES = Object.keys(DATABASES) as (keyof typeof DATABASES)[];

it.skipIf(process.platform === 'win32').each(eachNth(4, NAMES))(
  'two workers over %s name one version of the data, which walks, 304 and watches go by',
  async (name) => {
    const { settings, write } = await DATABASES[name]();
    const { origin, file, output, stop } = await startWorkers(
      { audit: 'stdout', ...settings },
      SQL,
    );

    // As long as a worker does not follow the table, its version is that of the whole server.
    if ('follow' in settings)
      await until(async () => {
        const before = await oneOf(origin, 'data-version');
        await write('insert into elsewhere values (1)', file);
        await repliesOf(origin);
        return (await oneOf(origin, 'data-version')) === before;
      });

    const version = await oneOf(origin, 'data-version');
    await until(() => processesOf(output()).size === 2);
    const client = createClient({ baseUrl: origin, token: TOKEN, fetch: fetchAnew });
    const list = { model: 'cities', attributes: ['id'] } as const;
    const { records } = await client.all({ ...list, size: 2 }, { onDrift: 'error' });
    expect(records).toHaveLength(42);

    const etag = await oneOf(origin, 'etag');
    const statuses = (await repliesOf(origin, etag)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([304]));

    const shown = await client.query({ ...list, page: 1, size: 1 });
    for (let watch = 0; watch < 4; watch++) {
      for await (const state of client.watch(list)) {
        expect(listChange(shown, state)).toBeNull();
        break;
      }
    }
    expect(await oneOf(origin, 'data-version')).toBe(version);

    await write("update cities set name = 'renamed' where id = 1", file);
    await until(async () => {
      const after = await valuesOf(origin, 'data-version');
      expect(after).not.toContain(version);
      return after.length === 1 && after[0] !== null;
    });

    // Whoever begins to follow writes to the log, and all name versions from there on.
    if ('follow' in settings) return;
    const last = await oneOf(origin, 'data-version');
    await stop();
    const again = await startWorkers({ database: `sqlite:${file}`, ...settings }, SQL);
    expect(await oneOf(again.origin, 'data-version')).toBe(last);
  },
);
