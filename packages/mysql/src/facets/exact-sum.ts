import type { Field } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { decimalScaleOf, DIGITS, roundedScaleOf } from '../values/operands.ts';

type Expression = RawBuilder<unknown>;

/** By so many digits the sum of as many values as a table can hold is longer than one of them. */
const MORE_DIGITS = 22;

/** The sum of decimals that are too long for one, in two halves of which neither is too long. */
export interface Halves {
  /** The sum of what is left of a place, in units of 10^place. */
  readonly high: Expression;
  /** The sum of the rest. */
  readonly low: Expression;
  readonly place: number;
}

/** Undefined for values that have a sum of their own. */
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

/**
 * The sum, which may have more digits than a column can: the server computes with 81 of them. That
 * of `float(7,2)` has two after the point, as its values are shown.
 */
export function exactSum(value: Expression, field: Field): Expression {
  const halves = halvesOf(value, field);
  if (halves === undefined) return rounded(sql`sum(${value})`, field);
  const high = sql`cast(${halves.high} as ${decimal(2 * MORE_DIGITS, 0)})`;
  return sql`(${high} * ${powerOfTen(halves.place)} + ${halves.low})`;
}

/** The text of what adds up to the sum of decimals: also of more digits than one has. */
export function addedDecimals(value: Expression, field: Field): Expression {
  const halves = halvesOf(value, field);
  if (halves === undefined) return sql`cast(sum(${value}) as char)`;
  const high = sql`cast(cast(${halves.high} as ${decimal(2 * MORE_DIGITS, 0)}) as char)`;
  return sql`concat(${high}, ${sql.lit(`${'0'.repeat(halves.place)} `)}, ${halves.low})`;
}

/** A sum of floating point numbers without the digits that none of them has. */
export function rounded(sum: Expression, field: Field): Expression {
  const scale = roundedScaleOf(field);
  return scale === undefined ? sum : sql`round(${sum}, ${sql.lit(scale)})`;
}

/** A decimal type. */
export function decimal(digits: number, scale: number): Expression {
  return sql.raw(`decimal(${digits}, ${scale})`);
}

/** As a decimal: with an exponent it would be a double. */
export function powerOfTen(exponent: number): Expression {
  const zeros = '0'.repeat(Math.abs(exponent));
  return sql.raw(exponent < 0 ? `0.${zeros.slice(1)}1` : `1${zeros}`);
}
