import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A directory for the files of a worker; it goes with the temporary directory of the run. */
export const directory = mkdtempSync(join(tmpdir(), 'dynamic-query-'));

let files = 0;

/**
 * Readers of a file without WAL keep writers out; a writer of a test waits for them, in
 * milliseconds, however busy the machine is.
 */
const BUSY_TIMEOUT_MS = 60_000;

/** No test pulls the plug: a commit need not reach the disk, which takes longer than all else. */
const UNSYNCED = 'pragma synchronous = off';

/** A file to which nothing was written is empty, and no database. */
const NO_TABLES = 'pragma user_version = 1';

/** The path of a new SQLite file in which the script has run. */
export function databaseFile(script = NO_TABLES): string {
  files += 1;
  const path = join(directory, `${files}.db`);
  execute(path, script);
  return path;
}

/**
 * Runs a script on a SQLite file over a connection of its own, after waiting for whoever holds a
 * lock.
 */
export function execute(path: string, script: string): void {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec(`${UNSYNCED}; ${script}`);
  } finally {
    database.close();
  }
}
