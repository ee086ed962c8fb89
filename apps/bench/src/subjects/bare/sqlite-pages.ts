import { DatabaseSync, type StatementSync } from 'node:sqlite';

import type { Pages } from './raw-page.ts';
import { sqliteRows } from './statements.ts';

/** The database reads in the very process that serves; SQLite writes the JSON. */
export function openSqlitePages(url: string): Pages {
  const database = new DatabaseSync(url.replace(/^sqlite:/, ''), {
    readOnly: true,
    timeout: 10_000,
  });
  const prepared = new Map<string, StatementSync>();
  const ask = (sql: string, ...values: number[]): string => {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, statement);
    return String(Object.values(statement.get(...values) ?? {})[0]);
  };
  const read = (table: string, page: number, size: number): string =>
    ask(sqliteRows(table, '?', '?'), size, (page - 1) * size);
  return {
    read: async (table, { page, size }) => ({ rows: read(table, page, size) }),
    readWithTotal: async (table, { page, size }) => {
      // One snapshot, as the service reads both.
      database.exec('begin');
      try {
        return {
          rows: read(table, page, size),
          total: ask(`select cast(count(*) as text) from "${table}"`),
        };
      } finally {
        database.exec('commit');
      }
    },
  };
}
