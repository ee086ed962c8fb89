import { existsSync, realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

const ENDINGS = ['-wal', '-shm'];

/**
 * The files that SQLite makes beside a database in WAL mode. Whoever reads it needs them, and a
 * connection that only reads cannot remove them. Those that were not there before are removed in
 * the end.
 */
export class SideFiles {
  readonly #databases = new Set<string>();
  readonly #seen = new Set<string>();

  /** Notes whether there are any yet. Call it before a connection is opened. */
  note(path: string): void {
    const database = realpathSync(path);
    if (this.#seen.has(database)) return;
    this.#seen.add(database);
    if (!ENDINGS.some((ending) => existsSync(`${database}${ending}`)))
      this.#databases.add(database);
  }

  /** Call it when the connections are closed. */
  remove(): void {
    for (const database of this.#databases) {
      if (ENDINGS.some((ending) => existsSync(`${database}${ending}`))) removeUnused(database);
    }
    this.#databases.clear();
  }
}

/**
 * Lets SQLite remove the files: the last connection does so when it closes, if it may write. Only
 * SQLite knows whether it is the last one; removing them under another connection would damage
 * the database.
 */
function removeUnused(database: string): void {
  const url = pathToFileURL(database);
  // Never creates a database in place of one that was removed.
  url.searchParams.set('mode', 'rw');
  try {
    const connection = new DatabaseSync(url, { timeout: 0, allowExtension: false });
    try {
      connection.exec('pragma query_only = on; select 1 from sqlite_schema');
    } finally {
      connection.close();
    }
  } catch {
    // Somebody else uses the database, or it was removed.
  }
}
