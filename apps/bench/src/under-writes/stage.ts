import { setTimeout as sleep } from 'node:timers/promises';

import { startPostgres } from '@proj/test-servers';

import { type DatabaseName, tableName } from '../databases/database.ts';
import { type BenchDatabase, openTables } from '../databases/open.ts';
import { POSTGRES_SETTINGS } from '../databases/start.ts';
import type { Setup } from './trials.ts';

/** A database that is read while it is written, and goes when it is closed. */
export interface Stage {
  /** Where tables are made and written. */
  readonly database: BenchDatabase;
  /** Where the service reads. */
  readonly url: string;
  /** Settings of the service beside its models. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Statements that need the tables with these names. */
  readonly prepare?: (tables: readonly string[]) => readonly string[];
  /** Waits until what was written can be read. */
  settled?(): Promise<void>;
}

/** Opens the database of a setup with tables of these lengths. */
export async function openStage(setup: Setup, tables: readonly number[]): Promise<Stage> {
  const stage = await OPENERS[setup]();
  const { database, prepare = () => [] } = stage;
  try {
    for (const rows of tables) await database.createTable(rows);
    for (const statement of prepare(tables.map(tableName))) await database.run(statement);
    await stage.settled?.();
    return stage;
  } catch (error) {
    await database.close();
    throw error;
  }
}

const OPENERS: Record<Setup, () => Promise<Stage>> = {
  primary: () => openPlain('postgres'),
  feed: openFollowed,
  standby: openStandby,
  process: () => openPlain('mariadb'),
  'no-process': openWithoutProcess,
  file: () => openPlain('sqlite'),
};

async function openPlain(name: DatabaseName): Promise<Stage> {
  const database = await openTables(name);
  return { database, url: database.url };
}

/** The service follows the server's changes, as the owner of the tables would set it up. */
async function openFollowed(): Promise<Stage> {
  const settings = { ...POSTGRES_SETTINGS, wal_level: 'logical' };
  const database = await openTables('postgres', await startPostgres({ settings }));
  return {
    database,
    url: database.url,
    settings: { follow: true },
    prepare: (names) => [
      ...names.map((name) => `create index on ${name} (created_at, id)`),
      `create publication dynamic_query for table ${names.join(', ')}`,
    ],
  };
}

async function openStandby(): Promise<Stage> {
  const server = await startPostgres({ settings: POSTGRES_SETTINGS });
  const standby = await server.startStandby();
  const database = await openTables('postgres', {
    url: server.url,
    pid: server.pid,
    stop: async () => {
      await standby.stop();
      await server.stop();
    },
  });
  return {
    database,
    url: standby.url,
    settled: async () => {
      const written = await server.client('select pg_current_wal_lsn()');
      const replayed = `select pg_last_wal_replay_lsn() >= '${written}'`;
      while ((await standby.client(replayed)) !== 't') await sleep(50);
    },
  };
}

/** The service reads by an account that may read the tables and nothing else. */
async function openWithoutProcess(): Promise<Stage> {
  const stage = await openPlain('mariadb');
  const url = new URL(stage.url);
  url.username = 'reader';
  url.password = 'reader';
  return {
    ...stage,
    url: url.href,
    prepare: () => [
      `create user reader@'%' identified by 'reader'`,
      `create user reader@localhost identified by 'reader'`,
      `grant select on ${url.pathname.slice(1)}.* to reader@'%', reader@localhost`,
    ],
  };
}
