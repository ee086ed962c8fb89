import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { startMariadb, startPostgres } from '@proj/test-servers';

import type { Service } from '../availability/service.ts';
import { childrenOf } from '../support/processes.ts';

/** A database with a table `numbers`: `id` from 1, and a `note`. */
export interface ExportedDatabase {
  readonly url: string;
  /** Ends what a service reads the table by, whatever it does at the moment. */
  readonly cut: (service: Service) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens a database with a table of so many rows. */
export const OPEN_DATABASE = { postgres, mariadb, sqlite } as const satisfies Record<
  string,
  (rows: number) => Promise<ExportedDatabase>
>;

/** A row is as long as an ordinary record. */
const NOTE = 'a note of about as many characters as the columns of an ordinary record have';

async function postgres(rows: number): Promise<ExportedDatabase> {
  const server = await startPostgres({ settings: { log_statement: 'none' } });
  await server.client(`create table numbers (id int primary key, note text not null);
    insert into numbers select n, '${NOTE} ' || n from generate_series(1, ${rows}) n;
    analyze numbers;`);
  const cut = async (): Promise<void> => {
    await server.client(`select pg_terminate_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid();`);
  };
  return { url: server.url, cut, close: () => server.stop() };
}

async function mariadb(rows: number): Promise<ExportedDatabase> {
  const server = await startMariadb();
  await server.client(`create table test.numbers (id int primary key, note text not null);
    insert into test.numbers select seq, concat('${NOTE} ', seq) from test.seq_1_to_${rows};
    analyze table test.numbers;`);
  const connections = `select concat('kill ', id, ';') from information_schema.processlist
    where command <> 'Daemon' and id <> connection_id();`;
  const cut = async (): Promise<void> => {
    const kills = (await server.client(connections)).trim().split('\n').filter(Boolean);
    // One of them may have ended by itself.
    await Promise.allSettled(kills.map((kill) => server.client(kill)));
  };
  return { url: server.url, cut, close: () => server.stop() };
}

async function sqlite(rows: number): Promise<ExportedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'dynamic-query-numbers-'));
  const file = join(folder, 'numbers.db');
  const database = new DatabaseSync(file);
  database.exec(`pragma journal_mode = wal;
    create table numbers (id integer primary key, note text not null);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows})
      insert into numbers select i, '${NOTE} ' || i from n;`);
  database.close();
  return {
    url: `sqlite:${file}`,
    cut: killReaders,
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function killReaders({ child }: Service): Promise<void> {
  for (const reader of childrenOf(child.pid)) process.kill(reader, 'SIGKILL');
}
