import type { Field, WireType } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { comparedDate, isDate } from './dates.ts';

type Expression = RawBuilder<unknown>;

/** As in {@link Dialect}: values of another type than their column's. */
export function misfits(column: Expression, { type, storedAs }: Field): Expression | undefined {
  if (storedAs !== undefined) return sql`not ${isDate(comparedDate(column, { type, storedAs }))}`;
  return MISFITS[type]?.(column);
}

const UUID = [8, 4, 4, 4, 12].map((digits) => '[0-9a-fA-F]'.repeat(digits)).join('-');

const MISFITS: Partial<Record<WireType, (column: Expression) => Expression>> = {
  int32: (column) => sql`${isNotWhole(column)} or ${column} not between -2147483648 and 2147483647`,
  int64: isNotWhole,
  float64: isNoNumber,
  boolean: (column) => sql`${column} not in (0, 1)`,
  uuid: (column) => sql`${column} not glob ${sql.lit(UUID)}`,
};

function isNotWhole(column: Expression): Expression {
  return sql`${isNoNumber(column)} or ${column} <> cast(${column} as integer)`;
}

function isNoNumber(column: Expression): Expression {
  return sql`typeof(${column}) in ('text', 'blob')`;
}
