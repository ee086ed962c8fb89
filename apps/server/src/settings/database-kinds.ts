import { type DatabaseKind, kindOf } from '@proj/engine';
import { mysql } from '@proj/mysql';
import { postgres } from '@proj/postgres';
import { sqlite } from '@proj/sqlite';

/** The kinds of databases that the service can be put in front of. */
export const DATABASE_KINDS: readonly DatabaseKind[] = [sqlite, postgres, mysql];

/** The kind that a URL names; undefined where there is none. */
export function databaseKind(url: string): DatabaseKind | undefined {
  return kindOf(url, DATABASE_KINDS);
}
