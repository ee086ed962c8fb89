import { isIP } from 'node:net';
import { canonicalNumber, type WireType } from '@proj/contract';

import { lackedCharacter, type FilterValue } from '../../catalogue/field.ts';
import type { Attribute } from '../../catalogue/model.ts';
import { decimalDigits } from '../../decimals.ts';
import { isDateText } from '../../moment-text.ts';
import { readDate, readTime, readTimestamp, readTimestampTz } from './date-text.ts';
import { localInUtc } from './local-moment.ts';
import { readInterval } from './interval-text.ts';
import { readRange } from './range-text.ts';

type ValueReader = (value: unknown, attribute: Attribute) => FilterValue | undefined;

interface ValueKind {
  readonly read: ValueReader;
  readonly expected: string;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const VALUE_KINDS: Partial<Record<WireType, ValueKind>> = {
  text: { read: text, expected: 'a string' },
  enum: { read: text, expected: 'a string' },
  uuid: {
    read: matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
    expected: 'a UUID, such as "7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11"',
  },
  int32: { read: integer, expected: 'a whole number' },
  int64: {
    read: integer,
    expected: 'a whole number; above 2^53 − 1, write its digits as a string',
  },
  decimal: { read: decimal, expected: 'a string of decimal digits, such as "12.50"' },
  float64: { read: float, expected: 'a number, or "NaN", "Infinity" or "-Infinity"' },
  boolean: { read: truth, expected: 'true or false' },
  date: { read: byText(readDate), expected: 'a date, such as "2026-01-31"' },
  time: { read: byText(readTime), expected: 'a time, such as "23:59:59.999999"' },
  timestamp: {
    read: byText(readTimestamp),
    expected: 'a date and time without a zone, such as "2026-01-31T23:59:59"',
  },
  timestamp_tz: {
    read: byText(readTimestampTz),
    expected: 'an instant with a zone, such as "2026-01-31T22:59:59Z"',
  },
  interval: {
    read: byText(readInterval),
    expected: 'a length of time, such as "1 day 02:00:00" or "P1DT2H"',
  },
  range: {
    read: (value, attribute) => {
      const { items: type = 'other' } = attribute;
      return readRange(value, attribute, (bound) => readFilterValue(bound, { ...attribute, type }));
    },
    expected:
      'a value of the bounds, or a range such as "[1,5)", with the lower bound first and ' +
      'within the limits of the type',
  },
  inet: { read: readAddress, expected: 'an address or a network, such as "10.0.0.0/8"' },
  bytes: { read: matching(BASE64), expected: 'base64 with padding, such as "3q2+7w=="' },
  json: {
    read: json,
    expected:
      'a string, a number, true, false or {"number": "9223372036854775807"}; ' +
      'above 2^53 − 1, write a number in digits',
  },
  other: { read: text, expected: 'a string' },
  any: {
    read: any,
    expected:
      'a number, a string, {"number": "9223372036854775807"} or {"bytes": "3q2+7w=="}; ' +
      'above 2^53 − 1, write a number in digits',
  },
};

/** Checks before any SQL: a database would take `'1abc'` for 1. */
export function readFilterValue(given: unknown, attribute: Attribute): FilterValue | undefined {
  // What JSON reads of 1e400, which is no infinity.
  if (typeof given === 'number' && !Number.isFinite(given)) return undefined;
  const value = attribute.type === 'timestamp_tz' ? localInUtc(given, attribute) : given;
  // Replies carry stored texts that are no dates, too.
  if (attribute.storedAs !== undefined)
    return typeof value === 'string' && value.isWellFormed() ? value : undefined;
  return VALUE_KINDS[attribute.type]?.read(value, attribute);
}

/** Without date types texts sort after all dates: a misspelt date would select all or none. */
export function readBound(value: unknown, attribute: Attribute): FilterValue | undefined {
  const read = readFilterValue(value, attribute);
  if (attribute.storedAs === undefined) return read;
  return isDateText(String(read), attribute.type) ? read : undefined;
}

/** A character that the encoding lacks has no place in the order. */
export function unorderable(value: FilterValue, { encoding }: Attribute): string | undefined {
  const lacked = lackedCharacter(String(value), encoding);
  if (encoding === undefined || lacked === undefined) return undefined;
  return `characters of ${encoding.name}, which orders this attribute and has no "${lacked}"`;
}

export function expectedValue({ type }: Attribute): string {
  return VALUE_KINDS[type]?.expected ?? 'no value';
}

function text(value: unknown, { extremes }: Attribute): string | undefined {
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  return extremes.includes('nul') || !value.includes('\0') ? value : undefined;
}

function byText(
  read: (value: unknown, extremes: Attribute['extremes']) => string | undefined,
): ValueReader {
  return (value, { extremes }) => read(value, extremes);
}

function matching(pattern: RegExp): ValueReader {
  return (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined);
}

function integer(value: unknown, attribute: Attribute): bigint | number | undefined {
  return (
    wholeNumber(value, attribute) ??
    (attribute.extremes.includes('reals') ? real(value) : undefined)
  );
}

/** JSON rounded unsafe numbers already; strings of digits were not rounded. */
function wholeNumber(value: unknown, { extremes }: Pick<Attribute, 'extremes'>) {
  const written = typeof value === 'string' && /^-?(0|[1-9]\d{0,19})$/.test(value);
  if (!written && !(typeof value === 'number' && Number.isSafeInteger(value))) return undefined;
  const whole = BigInt(value);
  const largest = extremes.includes('unsigned') ? 2n ** 64n : 2n ** 63n;
  return whole >= -(2n ** 63n) && whole < largest ? whole : undefined;
}

/** A float in a column of whole numbers. Digits beyond a double are refused, not rounded. */
function real(value: unknown): number | undefined {
  if (typeof value === 'number')
    return !Number.isInteger(value) || Math.abs(value) >= 2 ** 63 ? value : undefined;
  return typeof value === 'string' && decimalDigits(Number(value)) === value && value !== 'NaN'
    ? Number(value)
    : undefined;
}

/** The most digits around the point in any database served. */
const DECIMAL = /^-?\d{1,131072}(\.\d{1,16383})?$/;

function decimal(value: unknown, { extremes }: Attribute): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (value === 'NaN') return extremes.includes('not_a_number') ? value : undefined;
  if (value === 'Infinity' || value === '-Infinity')
    return extremes.includes('infinity') ? value : undefined;
  return DECIMAL.test(value) ? value : undefined;
}

function float(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity'
    ? Number(value)
    : undefined;
}

/** Numbers among truth values travel as strings of digits. */
function truth(value: unknown, { extremes }: Attribute): boolean | number | undefined {
  if (typeof value === 'boolean') return value;
  const isNumber =
    typeof value === 'string' &&
    extremes.includes('numbers') &&
    decimalDigits(Number(value)) === value;
  return isNumber && value !== 'NaN' ? Number(value) : undefined;
}

/** The integer 1 and the text "1" are two values. */
function any(value: unknown): FilterValue | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? `'${value}` : undefined;
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return BigInt(value);
    return Number.isInteger(value) ? undefined : value;
  }
  const [[form, written] = [], ...others] = Object.entries<unknown>({ ...(value as object) });
  if (others.length > 0 || typeof written !== 'string') return undefined;
  if (form === 'bytes') return BASE64.test(written) ? `x${written}` : undefined;
  if (form !== 'number') return undefined;
  return wholeNumber(written, { extremes: [] }) ?? real(written.replace(/^(-?\d+)\.0$/, '$1'));
}

/** Its JSON text: equal values have one. */
function json(value: unknown, attribute: Attribute): string | undefined {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string')
    return text(value, attribute) === undefined ? undefined : JSON.stringify(value);
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value)
      ? undefined
      : canonicalNumber(String(value));
  const { number: written, ...others } = { ...(value as object) } as Record<string, unknown>;
  return typeof written === 'string' && Object.keys(others).length === 0
    ? jsonNumber(written)
    : undefined;
}

const MOST_DIGITS = 1000;

/** In the range of a double, within which all databases tell numbers apart. */
function jsonNumber(written: string): string | undefined {
  if (written.length > MOST_DIGITS || !Number.isFinite(Number(written))) return undefined;
  const number = canonicalNumber(written);
  return Number(number) === 0 && number !== '0' ? undefined : number;
}

const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** An address of either version, perhaps with the bits of its network. */
export function readAddress(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const [, address = '', bits = '0'] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(value) ?? [];
  return Number(bits) <= (BITS[isIP(address)] ?? -1) ? value : undefined;
}
