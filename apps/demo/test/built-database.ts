import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';

import { afterAll, beforeAll } from 'vitest';

import { builtFile } from './data-directory.ts';

type Row = Record<string, SQLOutputValue>;

/**
 * A built demo database for all tests of a file, opened as the server opens it; the answer runs a
 * query on it.
 */
export function builtDatabase(): (sql: string, ...parameters: string[]) => Row[] {
  let database: DatabaseSync;
  beforeAll(async () => {
    database = new DatabaseSync(await builtFile(), { readOnly: true });
  });
  afterAll(() => database.close());
  return (sql, ...parameters) => database.prepare(sql).all(...parameters);
}

/** What the server could expose: tables and views by name, without SQLite's own. */
export function modelsOf(select: (sql: string) => Row[], ...types: ('table' | 'view')[]): string[] {
  const listed = types.map((type) => `'${type}'`).join(', ');
  const sql =
    `select name from sqlite_schema where type in (${listed}) ` +
    "and name not like 'sqlite\\_%' escape '\\' order by name";
  return select(sql).map(({ name }) => String(name));
}
