import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { hasMariadb, newMariadbDatabase, newPostgresDatabase } from '@proj/test-servers';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';

import { makeFolder } from './temporary-folder.ts';

type Value = string | number | null;

/** A connection of the database's own driver. */
export interface Connection {
  /** Runs one statement; `?` is a placeholder. */
  readonly run: (sql: string, values?: readonly Value[]) => Promise<unknown>;
  readonly close: () => Promise<unknown>;
}

/** A new and empty database. */
export interface Database {
  /** Where the service finds it. */
  readonly url: string;
  readonly connect: () => Promise<Connection>;
  readonly stop: () => Promise<void>;
}

/** A kind of database that the tests run on. */
export interface DatabaseKind {
  readonly name: string;
  /** Whether every reply names the version of its data. Those of MariaDB do most of the time. */
  readonly namesVersions: boolean;
  /** The type of a text that is sorted and compared without regard to case. */
  readonly caselessText: string;
  /** The type of a date and time without a zone. */
  readonly moment: string;
  /** What has to run before that type is used. */
  readonly preparation: readonly string[];
  readonly start: () => Promise<Database>;
}

/** Always there: a server comes with the packages. */
export const POSTGRES: DatabaseKind = {
  name: 'PostgreSQL',
  namesVersions: true,
  caselessText: 'varchar(40) collate caseless',
  moment: 'timestamp',
  preparation: [
    `create collation caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
  ],
  async start() {
    const { url } = await newPostgresDatabase();
    return { url, connect: async () => connectPostgres(url), stop: endsWithFile };
  },
};

const MARIADB: DatabaseKind = {
  name: 'MariaDB',
  namesVersions: false,
  caselessText: 'varchar(40) collate utf8mb4_general_ci',
  moment: 'datetime',
  preparation: [],
  async start() {
    const { url } = await newMariadbDatabase();
    return { url, connect: async () => connectMariadb(url), stop: endsWithFile };
  },
};

export const SQLITE: DatabaseKind = {
  name: 'SQLite',
  namesVersions: true,
  caselessText: 'text collate nocase',
  moment: 'timestamp',
  preparation: ['pragma journal_mode = wal'],
  async start() {
    const folder = await makeFolder();
    const file = join(folder, 'data.db');
    const database = new DatabaseSync(file);
    // A file to which nothing was written is empty, and no database.
    database.exec('pragma user_version = 1');
    database.close();
    return {
      url: `sqlite:${file}`,
      connect: async () => connectSqlite(file),
      stop: async () => rm(folder, { recursive: true, force: true }),
    };
  },
};

/**
 * The kinds of which a server can be started. One that is missing is said aloud; where CI is set
 * its tests fail.
 */
export function databaseKinds(): readonly DatabaseKind[] {
  const hasMaria = hasMariadb();
  if (!hasMaria)
    process.stderr.write(
      'LEFT OUT: MariaDB. Install it; on Debian: apt-get install mariadb-server mariadb-client\n',
    );
  return hasMaria ? [SQLITE, POSTGRES, MARIADB] : [SQLITE, POSTGRES];
}

/** The databases of the worker's servers are dropped when the test file has ended. */
async function endsWithFile(): Promise<void> {}

async function connectPostgres(url: string): Promise<Connection> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return {
    run: async (sql, values) => client.query(numbered(sql), values && [...values]),
    close: async () => client.end(),
  };
}

function numbered(sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => `$${++count}`);
}

async function connectMariadb(url: string): Promise<Connection> {
  const client = await createConnection(url);
  return {
    run: async (sql, values = []) => client.query(sql, [...values]),
    close: async () => client.end(),
  };
}

async function connectSqlite(file: string): Promise<Connection> {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec('pragma synchronous = normal');
  return {
    run: async (sql, values = []) => database.prepare(sql).run(...values),
    close: async () => database.close(),
  };
}
