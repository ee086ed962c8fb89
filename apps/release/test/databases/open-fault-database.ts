import type { DatabaseName, FaultDatabase } from './fault-database.ts';
import { openMariadb } from './mariadb.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

const OPENERS: Readonly<Record<DatabaseName, () => Promise<FaultDatabase>>> = {
  postgres: openPostgres,
  mariadb: openMariadb,
  sqlite: openSqlite,
};

/** Starts a database of the suite; whoever opens it closes it. */
export async function openFaultDatabase(name: DatabaseName): Promise<FaultDatabase> {
  return OPENERS[name]();
}
