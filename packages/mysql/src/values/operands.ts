import type { Field, FilterValue, WireType } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { shortestFloat } from './float32.ts';

/** A decimal has so many digits; a sum that needs more is the largest of them, in silence. */
export const DIGITS = 65;

/** How many digits after the point the decimals of a column have. */
export function decimalScaleOf({ databaseType }: Pick<Field, 'databaseType'>): number {
  return Number(/^decimal\(\d+,\s*(\d+)\)/.exec(databaseType)?.[1] ?? 0);
}

/** To how many digits after the point a floating point column rounds; undefined for most. */
export function roundedScaleOf({ databaseType }: Pick<Field, 'databaseType'>): number | undefined {
  const [, scale] = /^(?:float|double)\(\d+,\s*(\d+)\)/.exec(databaseType) ?? [];
  return scale === undefined ? undefined : Number(scale);
}

type Expression = RawBuilder<unknown>;

/** Of the digits of a decimal, so many may be after the point on MySQL; on MariaDB 38. */
const FRACTION_DIGITS = 30;

/** Larger than every decimal, also when it is rounded. */
const BEYOND_DECIMALS = 1e66;

/** A server that compares a `year` with 70 takes that for 1970. */
export function comparable(column: Expression, { type, databaseType }: Field): Expression {
  if (type === 'enum') return bytesOf(column);
  return databaseType.startsWith('year') ? sql`cast(${column} as signed)` : column;
}

/** The bytes of a text in UTF-8: collations count case, accents or trailing spaces as equal. */
export function bytesOf(text: Expression): Expression {
  return sql`cast(convert(${text} using utf8mb4) as binary)`;
}

/**
 * A checked value as an operand. It is cast to the column's own kind: a server that compares a text
 * with a number turns both into doubles, and 9007199254740993 equals 9007199254740992.
 */
export function operandOf(value: FilterValue, field: Field): Expression {
  return OPERANDS[field.type]?.(value, field) ?? sql`${value}`;
}

/**
 * A parameter that is bound as a text, as the same literal would be cast. MySQL takes a parameter
 * that is cast at once for one of a type of its own: a time of day for a date and time, and a
 * number for one with a sign.
 */
export function castTo(parameter: Expression, type: string): Expression {
  return sql`cast(cast(${parameter} as char) as ${sql.raw(type)})`;
}

const OPERANDS: Partial<Record<WireType, (value: FilterValue, field: Field) => Expression>> = {
  int32: integer,
  int64: integer,
  boolean: (value) => sql`${Number(value)}`,
  decimal: (value, field) => decimal(String(value), field),
  float64: (value, field) => sql`${floatParameter(Number(value), field)}`,
  date: (value) => castTo(sql`${value}`, 'date'),
  time: (value) => castTo(sql`${value}`, 'time(6)'),
  timestamp: instant,
  timestamp_tz: instant,
  bytes: (value) => sql`cast(${Buffer.from(String(value), 'base64')} as binary)`,
  enum: (value) => sql`cast(${value} as binary)`,
  text: (value, field) => inCharset(String(value), field),
};

/** The driver would send a bigint as a text too. */
function integer(value: FilterValue): Expression {
  return castTo(sql`${String(value)}`, BigInt(value) < 2n ** 63n ? 'signed' : 'unsigned');
}

/** `decimal(65, 30)`, where the whole part leaves room for it. */
function decimal(value: string, { databaseType }: Field): Expression {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)0*(\d*)\.?(\d*)$/.exec(value) ?? [];
  if (whole.length > DIGITS) return sql`${Number(`${sign}${BEYOND_DECIMALS}`)}`;
  const columnScale = decimalScaleOf({ databaseType });
  const scale = Math.min(Math.max(FRACTION_DIGITS, columnScale), DIGITS - whole.length);
  const cut = `${sign}${whole || '0'}.${cutFraction(fraction, scale)}`;
  return castTo(sql`${cut}`, `decimal(${DIGITS}, ${scale})`);
}

/**
 * Digits beyond the scale are cut, and the last one that does shows that there were some: the value
 * stays between the same decimals.
 */
function cutFraction(fraction: string, scale: number): string {
  const kept = fraction.slice(0, scale);
  const lost = /[1-9]/.test(fraction.slice(scale));
  return lost && kept.endsWith('0') ? `${kept.slice(0, -1)}1` : kept.padEnd(1, '0');
}

/**
 * A FLOAT column holds 0.1 as another double than the caller's, though 0.1 is what the caller was
 * shown.
 */
export function floatParameter(value: number, { databaseType }: Field): number {
  const single = Math.fround(value);
  const shown =
    databaseType.startsWith('float') && Number.isFinite(single) && shortestFloat(single) === value;
  return shown ? single : bounded(value);
}

/** No column holds these, and no parameter can. NaN counts as the largest. */
function bounded(value: number): number {
  if (Number.isNaN(value)) return Number.MAX_VALUE;
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
}

function instant(value: FilterValue): Expression {
  return castTo(sql`${withoutZone(String(value))}`, 'datetime(6)');
}

/** `2026-01-31T23:59:59Z` → `2026-01-31 23:59:59`. */
export function withoutZone(text: string): string {
  return text.replace('T', ' ').replace(/Z$/, '');
}

/**
 * A text as a column of another character set than UTF-8 can be compared with it, under the
 * column's collation; characters that the set lacks become `?`. The set and the collation come from
 * the catalogue.
 */
export function inCharset(
  value: string | Expression,
  { databaseType }: Pick<Field, 'databaseType'>,
): Expression {
  const [, collation, charset] = / collate (([a-z0-9]+)_\w+)$/.exec(databaseType) ?? [];
  if (collation === undefined || charset === undefined) return sql`${value}`;
  return sql`convert(${value} using ${sql.raw(charset)}) collate ${sql.raw(collation)}`;
}
