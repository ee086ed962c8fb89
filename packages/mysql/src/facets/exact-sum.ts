import type { Expression, Field } from '@proj/engine/database';
import { sql } from 'kysely';

import { decimalScaleOf, DIGITS, roundedScaleOf } from '../values/operands.ts';

/** A sum over the largest table has at most this many digits more than one value. */
const MORE_DIGITS = 22;

/** The sum of decimals too long for one decimal, in two halves. */
export interface Halves {
  /** In units of 10^place. */
  readonly high: Expression;
  /** What `high` leaves out. */
  readonly low: Expression;
  readonly place: number;
}

export function halvesOf(value: Expression, field: Field): Halves | undefined {
  const [, precision = 0] = /^decimal\((\d+)/.exec(field.databaseType) ?? [];
  if (Number(precision) <= DIGITS - MORE_DIGITS) return undefined;
  const place = DIGITS - MORE_DIGITS - decimalScaleOf(field);
  const high = sql`truncate(${value}, ${sql.lit(-place)})`;
  return {
    high: sql`sum(${high} / ${powerOfTen(place)})`,
    low: sql`sum(${value} - ${high})`,
    place,
  };
}

/** The sum, of up to 81 digits. For `float(7,2)` it has two after the point. */
export function exactSum(value: Expression, field: Field): Expression {
  const halves = halvesOf(value, field);
  if (halves === undefined) return rounded(sql`sum(${value})`, field);
  const high = sql`cast(${halves.high} as ${decimal(2 * MORE_DIGITS, 0)})`;
  return sql`(${high} * ${powerOfTen(halves.place)} + ${halves.low})`;
}

export function addedDecimals(value: Expression, field: Field): Expression {
  const halves = halvesOf(value, field);
  if (halves === undefined) return sql`cast(sum(${value}) as char)`;
  const high = sql`cast(cast(${halves.high} as ${decimal(2 * MORE_DIGITS, 0)}) as char)`;
  return sql`concat(${high}, ${sql.lit(`${'0'.repeat(halves.place)} `)}, ${halves.low})`;
}

/** Drops digits that none of the floating point numbers has. */
export function rounded(sum: Expression, field: Field): Expression {
  const scale = roundedScaleOf(field);
  return scale === undefined ? sum : sql`round(${sum}, ${sql.lit(scale)})`;
}

export function decimal(digits: number, scale: number): Expression {
  return sql.raw(`decimal(${digits}, ${scale})`);
}

/** As a decimal: with an exponent it would be a double. */
export function powerOfTen(exponent: number): Expression {
  const zeros = '0'.repeat(Math.abs(exponent));
  return sql.raw(exponent < 0 ? `0.${zeros.slice(1)}1` : `1${zeros}`);
}
