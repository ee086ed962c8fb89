import type { DatabaseName } from '../scenarios.ts';
import type { BenchDatabase } from './bench-database.ts';
import { openMariadbTables } from './mariadb.ts';
import { openPostgresTables } from './postgres.ts';
import { openSqliteTables } from './sqlite.ts';

/**
 * Opens a database for measuring: the one at a URL, or else one that is started for this run alone.
 */
export async function openTables(
  name: DatabaseName,
  url: string | undefined,
): Promise<BenchDatabase> {
  return OPENERS[name](url);
}

/** Does some work on a database that is started for it, with one table. */
export async function withTable(
  name: DatabaseName,
  rows: number,
  work: (database: BenchDatabase) => Promise<void>,
): Promise<void> {
  const database = await openTables(name, undefined);
  try {
    await database.createTable(rows);
    await work(database);
  } finally {
    await database.close();
  }
}

const OPENERS: Record<DatabaseName, (url: string | undefined) => Promise<BenchDatabase>> = {
  postgres: openPostgresTables,
  mariadb: openMariadbTables,
  sqlite: openSqliteTables,
};
