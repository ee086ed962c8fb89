import { type RawBuilder, sql } from 'kysely';

import type { Field } from '../../catalogue/field.ts';
import type { Dialect } from '../dialect.ts';

/** NULL and nothing else that the database takes for it. */
export function isNull(
  column: RawBuilder<unknown>,
  dialect: Dialect,
  field?: Field,
): RawBuilder<unknown> {
  return dialect.isNull?.(column, field) ?? sql`${column} is null`;
}
