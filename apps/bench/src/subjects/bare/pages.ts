import type { DatabaseName } from '../../scenarios.ts';
import { openMariadbPages } from './mariadb-pages.ts';
import { openPostgresPages } from './postgres-pages.ts';
import type { Pages } from './raw-page.ts';
import { openSqlitePages } from './sqlite-pages.ts';

/** The pages of a database, read by its driver. */
export async function openPages(database: DatabaseName, url: string): Promise<Pages> {
  return OPENERS[database](url);
}

const OPENERS: Record<DatabaseName, (url: string) => Pages | Promise<Pages>> = {
  postgres: openPostgresPages,
  mariadb: openMariadbPages,
  sqlite: openSqlitePages,
};
