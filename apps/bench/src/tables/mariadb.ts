import { startMariadb } from '@proj/test-servers';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';

import { hasProgram } from '../processes/program.ts';
import {
  type BenchDatabase,
  itemOf,
  type PageRequest,
  tableName,
  type TruePage,
} from './bench-database.ts';

/**
 * As an operator would run it on such a machine: with its writes on disk, the binary log that
 * replication needs, and no log of statements.
 */
const SETTINGS = [
  'general-log=off',
  'max-connections=100',
  'innodb-buffer-pool-size=1G',
  'innodb-log-file-size=512M',
  'innodb-flush-log-at-trx-commit=1',
  'innodb-flush-method=fsync',
  'innodb-doublewrite=1',
  'log-bin',
  'sync-binlog=1',
];

/** Starts a MariaDB server, or uses the MariaDB or MySQL at a URL, and leaves no table behind. */
export async function openMariadbTables(url: string | undefined): Promise<BenchDatabase> {
  const server = url === undefined ? await startMariadb({ settings: SETTINGS }) : undefined;
  const address = url ?? server?.url ?? '';
  const connection = await createConnection({
    uri: address,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
  });
  const [[row]] = await connection.query<RowDataPacket[]>('select version() as version');
  const version = String(row?.['version']);
  const isMariadb = version.includes('MariaDB');
  const tables: string[] = [];
  const views: string[] = [];
  return {
    name: 'mariadb',
    url: address,
    version: isMariadb
      ? `MariaDB ${version.replace(/-MariaDB.*/, '')}, binary log on`
      : `MySQL ${version}`,
    pid: server?.pid,
    createTable: async (count) => {
      tables.push(tableName(count));
      for (const statement of creation(count, isMariadb)) await connection.query(statement);
    },
    createView: async (view, select) => {
      views.push(view);
      await connection.query(`create or replace view ${view} as ${select}`);
    },
    run: async (statement) => void (await connection.query(statement)),
    truePage: (count, request) => truePage(connection, count, request),
    exportCommand: async (count) =>
      (await hasProgram('mariadb'))
        ? { command: 'mariadb', args: exportArguments(address, count) }
        : undefined,
    close: async () => {
      for (const view of views) await connection.query(`drop view if exists ${view}`);
      for (const table of tables) await connection.query(`drop table if exists ${table}`);
      await connection.end();
      await server?.stop();
    },
  };
}

/**
 * MariaDB has an engine for rows of numbers; MySQL takes a recursive expression. The rows stay out
 * of the binary log.
 */
function creation(count: number, isMariadb: boolean): string[] {
  const table = tableName(count);
  const numbers = isMariadb
    ? `select seq as n from seq_1_to_${count}`
    : `${recursion(count)} select n from numbers`;
  const values =
    "n, timestampadd(second, n, '2020-01-01 00:00:00'), concat('item ', n), " +
    '(n * 7919 % 1000000) / 100, n % 3 = 0';
  return [
    `drop table if exists ${table}`,
    `create table ${table} (id bigint primary key, created_at datetime not null, ` +
      'name varchar(40) not null, amount decimal(12, 2) not null, flag boolean not null)',
    'set sql_log_bin = 0',
    ...(isMariadb ? [] : [`set cte_max_recursion_depth = ${count}`]),
    `insert into ${table} select ${values} from (${numbers}) as source`,
    'set sql_log_bin = 1',
    `analyze table ${table}`,
  ];
}

function recursion(count: number): string {
  return (
    'with recursive numbers (n) as (select 1 union all select n + 1 from numbers ' +
    `where n < ${count})`
  );
}

async function truePage(
  connection: Connection,
  count: number,
  { page, size }: PageRequest,
): Promise<TruePage> {
  const table = tableName(count);
  const written = `date_format(created_at, '%Y-%m-%dT%H:%i:%s')`;
  const [rows] = await connection.query<RowDataPacket[]>(
    `select cast(id as char) as id, ${written} as created_at, name, cast(amount as char) ` +
      `as amount, flag from ${table} order by ${table}.id limit ? offset ?`,
    [size, (page - 1) * size],
  );
  const [[total]] = await connection.query<RowDataPacket[]>(
    `select count(*) as total from ${table}`,
  );
  return { items: rows.map(itemOf), total: String(total?.['total']) };
}

function exportArguments(address: string, count: number): string[] {
  const { hostname, port, username, password, pathname } = new URL(address);
  const login = [`--host=${hostname}`, `--port=${port || '3306'}`, `--user=${username}`];
  const secret = password === '' ? [] : [`--password=${decodeURIComponent(password)}`];
  const record =
    "json_object('id', cast(id as char), 'created_at', date_format(created_at, " +
    "'%Y-%m-%dT%H:%i:%s'), 'name', name, 'amount', cast(amount as char), 'flag', flag = 1)";
  const statement = `select ${record} from ${tableName(count)} order by id`;
  return [
    '--no-defaults',
    ...login,
    ...secret,
    '--quick',
    '--raw',
    '--skip-column-names',
    pathname.slice(1),
    `--execute=${statement}`,
  ];
}
