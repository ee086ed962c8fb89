import { setTimeout as sleep } from 'node:timers/promises';

import { startPostgres } from '@proj/test-servers';

import type { DatabaseName } from '../scenarios.ts';
import { type BenchDatabase, tableName } from '../tables/bench-database.ts';
import { openTables } from '../tables/open-tables.ts';
import { POSTGRES_SETTINGS, openPostgresTables } from '../tables/postgres.ts';
import { openConnection } from '../writers/connection.ts';
import type { Setup } from './trials.ts';

/** A database that is read while it is written. */
export interface Stage {
  /** Where tables are made and written. */
  readonly database: BenchDatabase;
  /** Where the service reads. */
  readonly url: string;
  /** Settings of the service beside its models. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Waits until what was written can be read. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the database of a setup with tables of these lengths. */
export async function openStage(setup: Setup, tables: readonly number[]): Promise<Stage> {
  const stage = await OPENERS[setup]();
  try {
    for (const rows of tables) await stage.database.createTable(rows);
    await stage.prepare?.(tables);
    await stage.settled();
    return stage;
  } catch (error) {
    await stage.close();
    throw error;
  }
}

interface OpenedStage extends Stage {
  /** Does what needs the tables. */
  prepare?(tables: readonly number[]): Promise<void>;
}

const OPENERS: Record<Setup, () => Promise<OpenedStage>> = {
  primary: () => openPlain('postgres'),
  feed: openFollowed,
  standby: openStandby,
  process: () => openPlain('mariadb'),
  'no-process': openWithoutProcess,
  file: () => openPlain('sqlite'),
};

async function openPlain(name: DatabaseName): Promise<OpenedStage> {
  return stageOf(await openTables(name, undefined));
}

/** A stage that is closed with its database. */
function stageOf(database: BenchDatabase): OpenedStage {
  return {
    database,
    url: database.url,
    settings: {},
    settled: async () => undefined,
    close: () => database.close(),
  };
}

/** The service follows the server's changes, as the owner of the tables would set it up. */
async function openFollowed(): Promise<OpenedStage> {
  const server = await startPostgres({ settings: { ...POSTGRES_SETTINGS, wal_level: 'logical' } });
  const stage = stageOf(await openPostgresTables(server.url));
  return {
    ...stage,
    settings: { follow: true },
    prepare: (tables) => {
      const names = tables.map(tableName);
      return runSql(stage, [
        ...names.map((name) => `create index on ${name} (created_at, id)`),
        `create publication dynamic_query for table ${names.join(', ')}`,
      ]);
    },
    close: async () => {
      await stage.close();
      await server.stop();
    },
  };
}

async function openStandby(): Promise<OpenedStage> {
  const server = await startPostgres({ settings: POSTGRES_SETTINGS });
  const standby = await server.startStandby();
  const stage = stageOf(await openPostgresTables(server.url));
  return {
    ...stage,
    url: standby.url,
    settled: async () => {
      const written = await server.client('select pg_current_wal_lsn()');
      const replayed = `select pg_last_wal_replay_lsn() >= '${written}'`;
      while ((await standby.client(replayed)) !== 't') await sleep(50);
    },
    close: async () => {
      await stage.close();
      await standby.stop();
      await server.stop();
    },
  };
}

/** The service reads by an account that may read the tables and nothing else. */
async function openWithoutProcess(): Promise<OpenedStage> {
  const stage = await openPlain('mariadb');
  const url = new URL(stage.url);
  url.username = 'reader';
  url.password = 'reader';
  return {
    ...stage,
    url: url.href,
    prepare: () =>
      runSql(stage, [
        `create user reader@'%' identified by 'reader'`,
        `create user reader@localhost identified by 'reader'`,
        `grant select on ${url.pathname.slice(1)}.* to reader@'%', reader@localhost`,
      ]),
  };
}

async function runSql({ database }: Stage, statements: readonly string[]): Promise<void> {
  const { run, close } = await openConnection(database.name, database.url);
  for (const statement of statements) await run(statement);
  await close();
}
