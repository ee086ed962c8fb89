import { startPostgres } from '@proj/test-servers';
import { Client } from 'pg';

import { hasProgram } from '../processes/program.ts';
import {
  type BenchDatabase,
  itemOf,
  type PageRequest,
  tableName,
  type TruePage,
} from './bench-database.ts';

/**
 * As an operator would run it on such a machine: with its writes on disk, and without a log of
 * statements.
 */
export const POSTGRES_SETTINGS = {
  shared_buffers: '512MB',
  max_connections: '100',
  max_wal_size: '4GB',
  fsync: 'on',
  full_page_writes: 'on',
  log_statement: 'none',
};

/** Starts a PostgreSQL server, or uses the one at a URL, and leaves no table behind. */
export async function openPostgresTables(url: string | undefined): Promise<BenchDatabase> {
  const server =
    url === undefined ? await startPostgres({ settings: POSTGRES_SETTINGS }) : undefined;
  const address = url ?? server?.url ?? '';
  const client = new Client({ connectionString: address });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  const tables: string[] = [];
  return {
    name: 'postgres',
    url: address,
    version: `PostgreSQL ${rows[0]?.server_version ?? ''}`,
    pid: server?.pid,
    createTable: async (count) => {
      tables.push(tableName(count));
      for (const statement of creation(count)) await client.query(statement);
    },
    createView: async (view, select) => {
      await client.query(`create or replace view ${view} as ${select}`);
    },
    run: async (statement) => void (await client.query(statement)),
    truePage: (count, request) => truePage(client, count, request),
    exportCommand: async (count) =>
      (await hasProgram('psql'))
        ? {
            command: 'psql',
            args: ['--no-psqlrc', '--quiet', address, '--command', exportStatement(count)],
          }
        : undefined,
    close: async () => {
      for (const table of tables) await client.query(`drop table if exists ${table} cascade`);
      await client.end();
      await server?.stop();
    },
  };
}

/** The key is built after the rows, which takes half the time. */
function creation(count: number): string[] {
  const table = tableName(count);
  const values =
    "select n, timestamp '2020-01-01' + n * interval '1 second', 'item ' || n, " +
    '(n * 7919 % 1000000) / 100.0, n % 3 = 0';
  return [
    `drop table if exists ${table} cascade`,
    `create table ${table} (id bigint not null, created_at timestamp not null, ` +
      'name text not null, amount numeric(12, 2) not null, flag boolean not null)',
    `insert into ${table} ${values} from generate_series(1::bigint, ${count}) as n`,
    `alter table ${table} add primary key (id)`,
    `vacuum analyze ${table}`,
    'checkpoint',
  ];
}

async function truePage(
  client: Client,
  count: number,
  { page, size }: PageRequest,
): Promise<TruePage> {
  const table = tableName(count);
  const written = `to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS')`;
  const items = await client.query<Record<string, unknown>>(
    `select id::text, ${written} as created_at, name, amount::text, flag from ${table} ` +
      `order by ${table}.id limit $1 offset $2`,
    [size, (page - 1) * size],
  );
  const totals = await client.query<{ total: string }>(
    `select count(*)::text as total from ${table}`,
  );
  return { items: items.rows.map(itemOf), total: totals.rows[0]?.total ?? '' };
}

/** The copy format would double the backslashes of JSON; these rows hold none. */
function exportStatement(count: number): string {
  const record =
    "json_build_object('id', id::text, 'created_at', created_at, 'name', name, 'amount', " +
    "amount::text, 'flag', flag)";
  return `copy (select ${record} from ${tableName(count)} order by id) to stdout`;
}
