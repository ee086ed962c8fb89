import { duckdb } from '@proj/duckdb';
import type { DatabaseKind } from '@proj/engine';
import { mysql } from '@proj/mysql';
import { postgres } from '@proj/postgres';
import { sqlite } from '@proj/sqlite';

import { plainSqlite } from './plain-sqlite.ts';

/** The databases that there are packages for, and one that gives only what every one has to. */
export const DATABASE_KINDS: readonly DatabaseKind[] = [
  sqlite,
  postgres,
  mysql,
  duckdb,
  plainSqlite,
];
