import { type Expression, type Field, sqlBlock } from '@proj/engine/database';
import { sql } from 'kysely';

import { comparable, decimalScaleOf, DIGITS, roundedScaleOf } from '../values/operands.ts';

/** A sum over the largest table has at most this many digits more than one value. */
const MORE_DIGITS = 22;

/** The sum of decimals too long for one decimal, in two halves. */
interface Halves {
  /** In units of 10^place. */
  readonly high: Expression;
  /** What `high` leaves out. */
  readonly low: Expression;
  readonly place: number;
}

function halvesOf(value: Expression, field: Field): Halves | undefined {
  const [, precision = 0] = /^decimal\((\d+)/.exec(field.databaseType) ?? [];
  if (Number(precision) <= DIGITS - MORE_DIGITS) return undefined;
  const place = DIGITS - MORE_DIGITS - decimalScaleOf(field);
  const high = sql`truncate(${value}, ${sql.lit(-place)})`;
  return {
    high: sql`cast(sum(${high} / ${powerOfTen(place)}) as ${decimal(2 * MORE_DIGITS, 0)})`,
    low: sql`sum(${value} - ${high})`,
    place,
  };
}

/** The sum, of up to 81 digits. For `float(7,2)` it has two after the point. */
function exactSum(value: Expression, field: Field): Expression {
  const halves = halvesOf(value, field);
  if (halves === undefined) return rounded(sql`sum(${value})`, field);
  return sql`(${halves.high} * ${powerOfTen(halves.place)} + ${halves.low})`;
}

export function addedDecimals(value: Expression, field: Field): Expression {
  const halves = halvesOf(value, field);
  if (halves === undefined) return sql`cast(sum(${value}) as char)`;
  const zeros = sql.lit(`${'0'.repeat(halves.place)} `);
  return sql`concat(cast(${halves.high} as char), ${zeros}, ${halves.low})`;
}

/** Drops digits that none of the floating point numbers has. */
export function rounded(sum: Expression, field: Field): Expression {
  const scale = roundedScaleOf(field);
  return scale === undefined ? sum : sql`round(${sum}, ${sql.lit(scale)})`;
}

function decimal(digits: number, scale: number): Expression {
  return sql.raw(`decimal(${digits}, ${scale})`);
}

/** As a decimal: with an exponent it would be a double. */
function powerOfTen(exponent: number): Expression {
  const zeros = '0'.repeat(Math.abs(exponent));
  return sql.raw(exponent < 0 ? `0.${zeros.slice(1)}1` : `1${zeros}`);
}

/** Digits after the point of an average, unless its column has more. */
const AVERAGE_SCALE = 16;

export function averageScaleOf(field: Field): number {
  return Math.max(AVERAGE_SCALE, decimalScaleOf(field));
}

/** A quotient has four digits after the point more than its dividend. */
const MORE_SCALE = 4;

/** At most: MySQL's quotients have 30. */
const DIVIDEND_SCALE = 26;

/** Digits beyond an average's, which decide how a half rounds. */
const GUARD_DIGITS = 13;

/** Raises a remainder, so that its quotient has an average's digits and the guards. */
const RAISED_DIGITS = 21;

/** Digits before the point that an average's sum may have more than one value. */
const MORE_WHOLE_DIGITS = 15;

/** @throws in the database where the sum is longer than a decimal */
export function groupSum(column: Expression, field: Field): Expression {
  const value = comparable(column, field);
  const sum = exactSum(value, field);
  if (halvesOf(value, field) === undefined) return sum;
  return fitting(sum, decimalScaleOf(field));
}

/** @throws in the database where the average is longer than a decimal */
export function groupAverage(column: Expression, field: Field): Expression {
  if (field.type === 'float64')
    // Adding zero gives a double of all digits: a quotient of a rounded column has only four more.
    return roundedScaleOf(field) === undefined
      ? sql`avg(${column})`
      : sql`(${exactSum(column, field)} + 0e0) / count(${column})`;
  const scale = averageScaleOf(field);
  const quotient = {
    sum: exactSum(comparable(column, field), field),
    count: sql`count(${column})`,
  };
  const kept = Math.min(DIVIDEND_SCALE, DIGITS - wholeDigitsOf(field) - MORE_WHOLE_DIGITS);
  const isShort = halvesOf(column, field) === undefined;
  return isShort && kept + MORE_SCALE >= scale + GUARD_DIGITS
    ? roundedQuotient(quotient, { kept, scale })
    : longQuotient(quotient, { scale, wholeDigits: wholeDigitsOf(field) });
}

function wholeDigitsOf(field: Field): number {
  const [, precision = 20] = /^decimal\((\d+)/.exec(field.databaseType) ?? [];
  return Number(precision) - decimalScaleOf(field);
}

interface Quotient {
  readonly sum: Expression;
  readonly count: Expression;
}

function roundedQuotient(
  { sum, count }: Quotient,
  { kept, scale }: { readonly kept: number; readonly scale: number },
): Expression {
  return sql`round(cast(${sum} as ${decimal(DIGITS, kept)}) / ${count}, ${sql.lit(scale)})`;
}

/** Adds the whole part of a quotient to its fraction, computed from the remainder alone. */
function longQuotient(
  { sum, count }: Quotient,
  { scale, wholeDigits }: { readonly scale: number; readonly wholeDigits: number },
): Expression {
  const remainder = sql`mod(${sum}, ${count})`;
  const whole = sql`cast((${sum} - ${remainder}) / ${count} as ${decimal(DIGITS, 0)})`;
  const raised = { sum: sql`${remainder} * ${powerOfTen(RAISED_DIGITS)}`, count };
  const fraction = roundedQuotient(raised, { kept: DIVIDEND_SCALE, scale: scale - RAISED_DIGITS });
  const average = sql`${whole} + ${fraction} * ${powerOfTen(-RAISED_DIGITS)}`;
  return wholeDigits > DIGITS - scale
    ? fitting(average, scale)
    : sql`cast(${average} as ${decimal(DIGITS, scale)})`;
}

/** Fails where a value is too long for a decimal, as a double out of range does. */
function fitting(value: Expression, scale: number): Expression {
  const type = decimal(DIGITS, scale);
  const largest = sql.raw(`${'9'.repeat(DIGITS - scale)}.${'9'.repeat(scale)}`);
  const failure = sql`cast(exp(1000 + count(*)) as ${type})`;
  return sqlBlock`
    case when abs(${value}) > ${largest} then ${failure} else cast(${value} as ${type}) end`;
}
