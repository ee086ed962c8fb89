import type { Field } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

type Expression = RawBuilder<unknown>;

/** The first moment beyond 64 bits of microseconds since 1970. */
const TOO_FAR = '294247-01-10 04:00:54.775807';

const FIRST_TOO_FAR: Readonly<Record<string, Expression>> = {
  date: sql`date 'infinity'`,
  timestamp: sql`timestamp '${sql.raw(TOO_FAR)}'`,
  timestamp_tz: sql`timestamptz '${sql.raw(TOO_FAR)}+00'`,
};

/** As in {@link Dialect}: infinite and far dates, NaN among decimals, and lists of lists. */
export function misfits(column: Expression, field: Field): Expression | undefined {
  const { type, items = type, databaseType } = field;
  const end = FIRST_TOO_FAR[items];
  if (type === 'array') {
    const isNested = sql`array_ndims(${column}) > 1`;
    if (end === undefined) return isNested;
    return sql`${isNested} or ${end} <= any(${column}) or '-infinity' = any(${column})`;
  }
  if (end !== undefined) return sql`${column} >= ${end} or ${column} = '-infinity'`;
  return databaseType.startsWith('numeric(') ? sql`${column} = 'NaN'` : undefined;
}
