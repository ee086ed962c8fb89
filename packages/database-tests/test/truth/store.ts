import { copyFileSync, renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import { DuckDBInstance } from '@duckdb/node-api';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';

/** A connection of a writer. */
export interface WriteConnection {
  /** Runs statements that semicolons separate. */
  run(sql: string): Promise<unknown>;
  close(): Promise<void>;
}

/** How one kind of database is written to. */
export interface Store {
  /** How many may write at a time. */
  readonly writers: number;
  /** What empties a table the quickest, and whether that is a commit by itself. */
  readonly emptying: { readonly verb: string; readonly commits: boolean };
  /**
   * The mechanisms of the engine that serve here; most need a database that reports the version of
   * its data.
   */
  readonly mechanisms: readonly string[];
  /** What the tables are altered by. */
  readonly alterations?: readonly string[];
  connect(url: string): Promise<WriteConnection>;
}

const WITH_VERSION = [
  'single_flight',
  'count_batcher',
  'total_cache',
  'read_backwards',
  'page_index',
  'reply_cache',
];
/** Not on MariaDB and MySQL, where every row of a page carries the total. */
const WITH_SHORT_PAGES = [...WITH_VERSION, 'short_page_proof'];

/** A log of every statement would fill the disk. */
const UNLOGGED = `do $$ begin
  execute format('alter database %I set log_statement = none', current_database());
end $$`;

const POSTGRES: Store = {
  writers: 3,
  emptying: { verb: 'truncate table', commits: false },
  mechanisms: WITH_SHORT_PAGES,
  alterations: [UNLOGGED],
  async connect(url) {
    const client = new Client({ connectionString: url });
    await client.connect();
    return { run: (sql) => client.query(sql), close: () => client.end() };
  },
};

/**
 * Lists have totals, and deep pages an index, that follow the writes. Long notes are stored apart
 * from their rows.
 */
const FOLLOWED: Store = {
  ...POSTGRES,
  alterations: [UNLOGGED, 'alter table tasks alter note set storage external'],
  mechanisms: [...WITH_VERSION, 'followed_total', 'followed_index'],
};

const MARIADB: Store = {
  writers: 3,
  emptying: { verb: 'truncate table', commits: true },
  mechanisms: WITH_VERSION,
  async connect(url) {
    const connection = await createConnection({ uri: url, multipleStatements: true });
    // Under the default, rows that do not exist are locked too, and writers of different rows
    // wait for each other.
    await connection.query('set session transaction isolation level read committed');
    return { run: (sql) => connection.query(sql), close: () => connection.end() };
  },
};

/** Nobody writes to a file that is read: each commit is a file that takes its place. */
const DUCKDB: Store = {
  writers: 1,
  emptying: { verb: 'delete from', commits: false },
  mechanisms: WITH_SHORT_PAGES,
  async connect(url) {
    const path = url.replace(/^duckdb:/, '');
    const [written, copied] = [`${path}.written`, `${path}.copied`];
    copyFileSync(path, written);
    const instance = await DuckDBInstance.create(written);
    const connection = await instance.connect();
    let isOpen = false;
    return {
      async run(sql) {
        // DuckDB takes nothing back but whole transactions.
        const found = await connection.run(
          sql.replaceAll(/savepoint detour;[^]*?to savepoint detour;/g, ''),
        );
        isOpen = /^begin\b/.test(sql) || (isOpen && !/^(commit|rollback)\b/.test(sql));
        if (isOpen) return found;
        await connection.run('checkpoint');
        copyFileSync(written, copied);
        renameSync(copied, path);
        return found;
      },
      async close() {
        connection.closeSync();
        instance.closeSync();
      },
    };
  },
};

/** By the name of the fixture. */
export const STORES: Readonly<Record<string, Store>> = {
  PostgreSQL: POSTGRES,
  'PostgreSQL, followed': FOLLOWED,
  'PostgreSQL, standby': POSTGRES,
  MariaDB: MARIADB,
  MySQL: MARIADB,
  DuckDB: DUCKDB,
  SQLite: sqlite('wal'),
  'SQLite without WAL': sqlite('delete'),
};

function sqlite(journalMode: 'wal' | 'delete'): Store {
  return {
    // A second one would wait inside its call for the first, which could never go on.
    writers: 1,
    emptying: { verb: 'delete from', commits: false },
    mechanisms: WITH_SHORT_PAGES,
    connect(url) {
      const database = new DatabaseSync(url.replace(/^sqlite:/, ''), { timeout: 5000 });
      database.exec(`pragma journal_mode = ${journalMode}; pragma synchronous = off`);
      const run = (sql: string): Promise<void> => Promise.resolve(database.exec(sql));
      return Promise.resolve({ run, close: () => Promise.resolve(database.close()) });
    },
  };
}
