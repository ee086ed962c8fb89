import { existsSync, realpathSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

const ENDINGS = ['-wal', '-shm'];

/** Removes the side files that reading a WAL database made: its readers can't. */
export class SideFiles {
  readonly #databases = new Set<string>();
  readonly #seen = new Set<string>();

  /** Call it before a connection is opened. */
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

/** The last connection removes them. Only SQLite knows it; removing them early damages data. */
function removeUnused(database: string): void {
  const url = pathToFileURL(database);
  // Never creates a database in place of a removed one.
  url.searchParams.set('mode', 'rw');
  try {
    const connection = new DatabaseSync(url, { timeout: 0, allowExtension: false });
    try {
      connection.exec('pragma query_only = on; select 1 from sqlite_schema');
    } finally {
      connection.close();
    }
  } catch {
    // Others use the database, or it was removed.
  }
}
