import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterFile, hasMariadb, newMariadbDatabase, newPostgresDatabase } from '@proj/test-servers';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';

import { makeFolder } from './temporary-folder.ts';

type Value = string | number | null;

/** A new and empty database, which ends with the test file. */
export interface Database {
  /** Where the service finds it. */
  readonly url: string;
  /** Runs one statement by the database's own driver; `?` is a placeholder. */
  readonly run: (sql: string, values?: readonly Value[]) => Promise<unknown>;
}

/** A kind of database that the tests run on. */
export interface DatabaseKind {
  readonly name: string;
  /** Whether every reply names the version of its data. Those of MariaDB do most of the time. */
  readonly namesVersions: boolean;
  /** The type of a text that is sorted and compared without regard to case. */
  readonly caselessText: string;
  /** What has to run before that type is used. */
  readonly preparation: readonly string[];
  readonly start: () => Promise<Database>;
}

/** Always there: a server comes with the packages. */
export const POSTGRES: DatabaseKind = {
  name: 'PostgreSQL',
  namesVersions: true,
  caselessText: 'varchar(40) collate caseless',
  preparation: [
    `create collation caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`,
  ],
  async start() {
    const { url } = await newPostgresDatabase();
    const client = new Client({ connectionString: url });
    await client.connect();
    afterFile(async () => client.end());
    return { url, run: async (sql, values) => client.query(numbered(sql), values && [...values]) };
  },
};

const MARIADB: DatabaseKind = {
  name: 'MariaDB',
  namesVersions: false,
  caselessText: 'varchar(40) collate utf8mb4_general_ci',
  preparation: [],
  async start() {
    const { url } = await newMariadbDatabase();
    const client = await createConnection(url);
    afterFile(async () => client.end());
    return { url, run: async (sql, values = []) => client.query(sql, [...values]) };
  },
};

export const SQLITE: DatabaseKind = {
  name: 'SQLite',
  namesVersions: true,
  caselessText: 'text collate nocase',
  preparation: ['pragma journal_mode = wal'],
  async start() {
    const folder = await makeFolder();
    const file = join(folder, 'data.db');
    const database = new DatabaseSync(file, { timeout: 10_000 });
    afterFile(async () => {
      database.close();
      await rm(folder, { recursive: true, force: true });
    });
    // A file to which nothing was written is empty, and no database.
    database.exec('pragma synchronous = normal; pragma user_version = 1');
    const run: Database['run'] = async (sql, values = []) => database.prepare(sql).run(...values);
    return { url: `sqlite:${file}`, run };
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

function numbered(sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => `$${++count}`);
}
