import { type RawBuilder, sql } from 'kysely';

import type { Dialect } from '../dialect.ts';

/** Whether a column is NULL, and holds nothing else that a database takes for it. */
export function isNull(column: RawBuilder<unknown>, dialect: Dialect): RawBuilder<unknown> {
  return dialect.isNull?.(column) ?? sql`${column} is null`;
}
