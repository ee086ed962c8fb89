import type { Field } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

type Expression = RawBuilder<unknown>;

/** As in {@link Dialect}: days that the calendar does not have, and numbers among booleans. */
export function misfits(column: Expression, { type }: Field): Expression | undefined {
  if (type === 'boolean') return sql`${column} not in (0, 1)`;
  if (type !== 'date' && type !== 'timestamp' && type !== 'timestamp_tz') return undefined;
  // In `where`, `is null` also finds `0000-00-00` in a date column that takes no NULL.
  return sql`(${column} + interval 0 day) <=> null and not ${column} <=> null`;
}
