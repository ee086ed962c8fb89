import type { DatabaseKind } from '@proj/engine';
import { mysql } from '@proj/mysql';
import { postgres } from '@proj/postgres';
import { sqlite } from '@proj/sqlite';

/** The databases that there are packages for. */
export const DATABASE_KINDS: readonly DatabaseKind[] = [sqlite, postgres, mysql];
