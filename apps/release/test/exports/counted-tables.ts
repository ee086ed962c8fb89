import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { startMariadb, startPostgres } from '@proj/test-servers';
import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';

/** A table `numbers` whose first row counts the commits, each of which adds a row at its end. */
export interface CountedTable {
  readonly url: string;
  /** Counts a commit and adds its row, in one transaction. */
  readonly commit: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens a database with such a table of so many rows. */
export const OPEN_TABLE = { postgres, mariadb, sqlite } as const satisfies Record<
  string,
  (rows: number) => Promise<CountedTable>
>;

const COUNT = 'update numbers set n = n + 1 where id = 0';

const ADD = "insert into numbers select max(id) + 1, 0, 'added' from numbers";

async function postgres(rows: number): Promise<CountedTable> {
  const server = await startPostgres({ settings: { log_statement: 'none' } });
  await server.client(`create table numbers (id int primary key, n int, note text);
    insert into numbers select i, 0, 'note ' || i from generate_series(0, ${rows - 1}) i;
    analyze numbers;`);
  const writer = new Client({ connectionString: server.url });
  await writer.connect();
  return {
    url: server.url,
    // Several statements in one text are one transaction.
    commit: async () => void (await writer.query(`${COUNT}; ${ADD}`)),
    close: async () => {
      await writer.end();
      await server.stop();
    },
  };
}

async function mariadb(rows: number): Promise<CountedTable> {
  const server = await startMariadb({ settings: ['general-log=off'] });
  await server.client(`create table test.numbers (id int primary key, n int, note text);
    insert into test.numbers select seq, 0, concat('note ', seq) from test.seq_0_to_${rows - 1};
    analyze table test.numbers;`);
  const writer = await createConnection({ uri: server.url, multipleStatements: true });
  return {
    url: server.url,
    commit: async () => void (await writer.query(`begin; ${COUNT}; ${ADD}; commit`)),
    close: async () => {
      await writer.end();
      await server.stop();
    },
  };
}

async function sqlite(rows: number): Promise<CountedTable> {
  const folder = mkdtempSync(join(tmpdir(), 'dynamic-query-numbers-'));
  const file = join(folder, 'numbers.db');
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec(`pragma journal_mode = wal;
    create table numbers (id integer primary key, n int, note text);
    with recursive n (i) as (select 0 union all select i + 1 from n where i < ${rows - 1})
      insert into numbers select i, 0, 'note ' || i from n;`);
  return {
    url: `sqlite:${file}`,
    commit: async () => database.exec(`begin immediate; ${COUNT}; ${ADD}; commit`),
    close: async () => {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
