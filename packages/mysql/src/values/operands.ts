import type { Expression, Field, FilterValue, WireType } from '@proj/engine/database';
import { sql } from 'kysely';

/** Digits of a decimal; a sum that needs more silently becomes the largest decimal. */
export const DIGITS = 65;

export function decimalScaleOf({ databaseType }: Pick<Field, 'databaseType'>): number {
  return Number(/^decimal\(\d+,\s*(\d+)\)/.exec(databaseType)?.[1] ?? 0);
}

/** Digits after the point that a floating point column rounds to; undefined for most. */
export function roundedScaleOf({ databaseType }: Pick<Field, 'databaseType'>): number | undefined {
  const [, scale] = /^(?:float|double)\(\d+,\s*(\d+)\)/.exec(databaseType) ?? [];
  return scale === undefined ? undefined : Number(scale);
}

/** Digits after the point of a decimal, at most, on MySQL; MariaDB has 38. */
const FRACTION_DIGITS = 30;

/** Larger than every decimal, even when rounded. */
const BEYOND_DECIMALS = 1e66;

/** A server that compares a `year` with 70 takes it for 1970. */
export function comparable(column: Expression, { type, databaseType }: Field): Expression {
  if (type === 'enum') return bytesOf(column);
  return databaseType.startsWith('year') ? sql`cast(${column} as signed)` : column;
}

/** The bytes of a text in UTF-8: collations ignore case, accents or trailing spaces. */
export function bytesOf(text: Expression): Expression {
  return sql`cast(convert(${text} using utf8mb4) as binary)`;
}

/** A text beside a number would make both doubles, and 9007199254740993 equal 9007199254740992. */
export function operandOf(value: FilterValue, field: Field): Expression {
  return OPERANDS[field.type]?.(value, field) ?? sql`${value}`;
}

/** MySQL infers other types for a parameter cast directly: a time of day for a timestamp. */
export function castTo(parameter: Expression, type: string): Expression {
  return sql`cast(cast(${parameter} as char) as ${sql.raw(type)})`;
}

const OPERANDS: Partial<Record<WireType, (value: FilterValue, field: Field) => Expression>> = {
  int32: integer,
  int64: integer,
  boolean: (value) => sql`${Number(value)}`,
  decimal: (value, field) =>
    isDouble(field) ? double(value, field) : decimal(String(value), field),
  float64: double,
  date: (value) => castTo(sql`${value}`, 'date'),
  time: (value) => castTo(sql`${value}`, 'time(6)'),
  timestamp: instant,
  timestamp_tz: instant,
  bytes: (value) => sql`cast(${Buffer.from(String(value), 'base64')} as binary)`,
  enum: (value) => sql`cast(${value} as binary)`,
  text: (value, field) => inCharset(String(value), field),
};

/** The driver would send a bigint as text too. */
function integer(value: FilterValue): Expression {
  return castTo(sql`${String(value)}`, BigInt(value) < 2n ** 63n ? 'signed' : 'unsigned');
}

/** Sums and averages of floating point numbers are doubles too. */
export function isDouble({ type, databaseType }: Field): boolean {
  return type === 'float64' || (type === 'decimal' && databaseType.startsWith('double'));
}

function double(value: FilterValue, field: Field): Expression {
  return sql`${floatParameter(Number(value), field)}`;
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

/** Cuts digits beyond the scale, but keeps the value between the same decimals. */
function cutFraction(fraction: string, scale: number): string {
  const kept = fraction.slice(0, scale);
  const lost = /[1-9]/.test(fraction.slice(scale));
  return lost && kept.endsWith('0') ? `${kept.slice(0, -1)}1` : kept.padEnd(1, '0');
}

/** A FLOAT column stores 0.1 as another double than the caller's 0.1. */
export function floatParameter(value: number, { databaseType }: Field): number {
  const single = Math.fround(value);
  const shown =
    databaseType.startsWith('float') && Number.isFinite(single) && shortestFloat(single) === value;
  return shown ? single : bounded(value);
}

/** No column holds NaN or infinities, and no parameter can. NaN counts as the largest. */
export function bounded(value: number): number {
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

/** Compares under the column's collation; characters that the set lacks become `?`. */
export function inCharset(
  value: string | Expression,
  { databaseType }: Pick<Field, 'databaseType'>,
): Expression {
  const [, collation, charset] = / collate (([a-z0-9]+)_\w+)$/.exec(databaseType) ?? [];
  if (collation === undefined || charset === undefined) return sql`${value}`;
  return sql`convert(${value} using ${sql.raw(charset)}) collate ${sql.raw(collation)}`;
}

const SMALLEST_NORMAL = 2 ** -126;

/** The shortest double that reads back to the same 32-bit float: 0.1, not 0.10000000149011612. */
export function shortestFloat(value: number): number {
  if (value === 0) return value;
  const size = Math.abs(value);
  // Six digits distinguish all such decimals, except below the normal range.
  const fewest = size < SMALLEST_NORMAL ? 1 : 6;
  // Below a power of two floats lie closer than above it.
  const middle = Number.isInteger(Math.log2(size)) ? value * (1 + 2 ** -26) : value;
  for (let digits = fewest; digits < 9; digits++) {
    const nearest = Number(value.toPrecision(digits));
    if (Math.fround(nearest) === value) return nearest;
    const beside = middle === value ? nearest : Number(middle.toPrecision(digits));
    if (Math.fround(beside) === value) return beside;
  }
  return Number(value.toPrecision(9));
}
