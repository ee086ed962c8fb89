import { randomUUID } from 'node:crypto';

import { afterFile } from './after-file.ts';
import { type MariadbServer, startMariadb } from './mariadb.ts';
import { startMysql } from './mysql.ts';
import type { MysqlServer } from './mysql-process.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import type { TestDatabase } from './test-server.ts';

/** Housekeeping would change versions, which are of a whole server. */
const POSTGRES = {
  wal_level: 'logical',
  max_connections: '200',
  max_replication_slots: '40',
  max_wal_senders: '40',
  max_prepared_transactions: '20',
  autovacuum: 'off',
};

let postgres: Promise<PostgresServer> | undefined;
let mariadb: Promise<MariadbServer> | undefined;
let mysql: Promise<MysqlServer> | undefined;

const MYSQL = { settings: ['max-connections=200', 'max-allowed-packet=64M'] };

/**
 * The PostgreSQL server of this worker, which all of its test files use, one after the other. Who
 * kills, freezes or reconfigures a server starts one of their own.
 */
export function workerPostgres(): Promise<PostgresServer> {
  postgres ??= startPostgres({ settings: POSTGRES });
  return postgres;
}

/** The MariaDB server of this worker; see {@link workerPostgres}. */
export function workerMariadb(): Promise<MariadbServer> {
  mariadb ??= startMariadb(MYSQL);
  return mariadb;
}

/** The MySQL server of this worker; see {@link workerPostgres}. */
export function workerMysql(): Promise<MysqlServer> {
  mysql ??= startMysql(MYSQL);
  return mysql;
}

/** Makes a database at the worker's PostgreSQL server; it is dropped after the test file. */
export async function newPostgresDatabase(): Promise<TestDatabase> {
  const server = await workerPostgres();
  const name = newName();
  await server.client(`create database ${name}`);
  if (isFirst('postgres')) afterFile(() => emptyPostgres(server));
  return databaseOf(server, name, async (sql) => server.client(sql, name));
}

/** Makes a database at the worker's MariaDB server; it is dropped when the test file has ended. */
export async function newMariadbDatabase(): Promise<TestDatabase> {
  return newDatabaseOf('mariadb', await workerMariadb());
}

/** Makes a database at the worker's MySQL server; it is dropped when the test file has ended. */
export async function newMysqlDatabase(): Promise<TestDatabase> {
  return newDatabaseOf('mysql', await workerMysql());
}

async function newDatabaseOf(product: string, server: MysqlServer): Promise<TestDatabase> {
  const name = newName();
  await server.client(`create database ${name} character set utf8mb4 collate utf8mb4_general_ci`);
  if (isFirst(product)) {
    afterFile(() => {
      used.delete(product);
      return emptyMysql(server);
    });
  }
  return databaseOf(server, name, async (sql) => server.client(sql, name));
}

/** The servers of which the running file has a database. */
const used = new Set<string>();

function isFirst(server: string): boolean {
  const before = used.size;
  return used.add(server).size > before;
}

function newName(): string {
  return `test_${randomUUID().slice(0, 8)}`;
}

async function databaseOf(
  server: PostgresServer | MysqlServer,
  name: string,
  client: TestDatabase['client'],
): Promise<TestDatabase> {
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const { length } = await server.log();
  return {
    url: url.href,
    client,
    log: async () => (await server.log()).slice(length),
  };
}

/** Drops what the file has left, so that the next one meets the server as it was started. */
async function emptyPostgres(server: PostgresServer): Promise<void> {
  used.delete('postgres');
  const prepared = await server.client(
    `select database || '|rollback prepared ' || quote_literal(gid) from pg_prepared_xacts`,
  );
  await runAll(server, prepared);
  const slots = 'from pg_replication_slots where';
  await server.client(`select pg_terminate_backend(active_pid, 10000) ${slots} active`);
  await server.client(`select pg_drop_replication_slot(slot_name) ${slots} not active`);
  const left = await server.client(`
    select 'postgres|drop database ' || quote_ident(datname) || ' with (force)'
      from pg_database where not datistemplate and datname <> 'postgres'
    union all
    select 'postgres|drop role ' || quote_ident(rolname) from pg_roles where oid >= 16384`);
  await runAll(server, left);
  await server.clearLog();
}

/** Runs statements, each in a line of its own behind the name of its database. */
async function runAll(server: PostgresServer, lines: string): Promise<void> {
  for (const line of lines.split('\n').filter(Boolean)) {
    const [database = '', sql = ''] = line.split('|');
    await server.client(sql, database);
  }
}

async function emptyMysql(server: MysqlServer): Promise<void> {
  const lines = await server.client(`
    select concat('drop database \`', replace(schema_name, '\`', '\`\`'), '\`')
      from information_schema.schemata
      where schema_name not in ('information_schema', 'mysql', 'performance_schema', 'sys', 'test');
    select concat('drop user ', quote(user), '@', quote(host)) from mysql.user
      where user not in ('root', 'mysql', 'mariadb.sys', 'PUBLIC') and user not like 'mysql.%'`);
  await server.client(`set foreign_key_checks = off;\n${lines.replaceAll('\n', ';\n')}`);
}
