import type { WireType } from '@proj/contract';
import { type RawBuilder, sql } from 'kysely';

import type { Field } from '../../../catalogue/field.ts';
import type { FilterValue } from '../../../catalogue/filter-value.ts';
import { dateForm } from '../../../moment-text.ts';
import { decimalOrder } from './decimal-order.ts';
import { comparedForm } from './date-form.ts';

type Expression = RawBuilder<unknown>;

/** A checked value as it is compared with a column. */
export function operandOf(value: FilterValue, { type, storedAs, aggregate }: Field): Expression {
  if (aggregate !== undefined) return sql`${decimalOrder(String(value))}`;
  if (storedAs !== undefined) return sql`${comparedForm(String(value), dateForm(type), storedAs)}`;
  return OPERANDS[type]?.(value) ?? sql`${value}`;
}

/** How a checked value is bound. Node binds a number as a real, and a bigint as an integer. */
const OPERANDS: Partial<Record<WireType, (value: FilterValue) => Expression>> = {
  int32: wholeOrReal,
  int64: wholeOrReal,
  decimal: (value) =>
    String(value).endsWith('Infinity') ? sql`${Number(value)}` : sql`cast(${value} as numeric)`,
  // Bound as it is, NaN would be NULL; a text is larger than every number, as NaN does elsewhere.
  float64: (value) => sql`${Number.isNaN(value) ? 'NaN' : value}`,
  boolean: (value) => sql`${Number(value)}`,
  bytes: (value) => sql`${Buffer.from(String(value), 'base64')}`,
};

function wholeOrReal(value: FilterValue): Expression {
  return sql`${typeof value === 'number' ? value : BigInt(value)}`;
}
