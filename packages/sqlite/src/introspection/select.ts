import type { DatabaseSync } from 'node:sqlite';

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function select<Row>(database: DatabaseSync, sql: string, ...parameters: string[]): Row[] {
  return database.prepare(sql).all(...parameters) as unknown as Row[];
}
