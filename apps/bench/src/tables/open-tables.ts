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

const OPENERS: Record<DatabaseName, (url: string | undefined) => Promise<BenchDatabase>> = {
  postgres: openPostgresTables,
  mariadb: openMariadbTables,
  sqlite: openSqliteTables,
};
