import type { DatabaseSync } from 'node:sqlite';

/** The rows of a query about the schema. */
export function select<Row>(database: DatabaseSync, sql: string, ...parameters: string[]): Row[] {
  return database.prepare(sql).all(...parameters) as unknown as Row[];
}
