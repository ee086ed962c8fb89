import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll } from 'vitest';

/** A directory that goes when the tests of the file are done. */
export const directory = mkdtempSync(join(tmpdir(), 'dynamic-query-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let files = 0;

/** The path of a new SQLite file in which the script has run. */
export function databaseFile(script = ''): string {
  files += 1;
  const path = join(directory, `${files}.db`);
  execute(path, script);
  return path;
}

/** Runs a script on a SQLite file over a connection of its own. */
export function execute(path: string, script: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec(script);
  } finally {
    database.close();
  }
}
