import { type DatabaseKind, kindOf } from '@proj/engine';
import { mysql } from '@proj/mysql';
import { postgres } from '@proj/postgres';
import { sqlite } from '@proj/sqlite';

export const DATABASE_KINDS: readonly DatabaseKind[] = [sqlite, postgres, mysql];

/** Undefined where the URL names no known kind. */
export function databaseKind(url: string): DatabaseKind | undefined {
  return kindOf(url, DATABASE_KINDS);
}
