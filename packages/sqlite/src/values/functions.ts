import type { DatabaseSync } from 'node:sqlite';

import { Decimals, type Moments, STORED_AS, type StoredAs } from '@proj/engine/database';

import { decimalOrder } from './decimal-order.ts';
import { averageOfParts, ExactSum, totalOfParts } from './exact-sum.ts';
import { comparedForm, type SqlValue, storedForm } from './date-form.ts';

interface SqlFunction {
  readonly sqlName: string;
  readonly apply: (value: SqlValue) => string | null;
}

/**
 * SQL functions that each reader connection gets: SQLite prints reals in a form of its own
 * (`1.0e+20`, `9.0e+999`) and has no base64.
 */
export const SQL_FUNCTIONS = {
  /**
   * The JSON text of a real: the shortest digits that read back to it, as JavaScript prints them.
   */
  number: {
    sqlName: 'dynamic_query_number',
    apply: (value) => (typeof value === 'number' ? jsonNumber(value) : null),
  },
  /** The JSON text of a real among values of other types: it has a point or an exponent. */
  real: {
    sqlName: 'dynamic_query_real',
    apply: (value) => (typeof value === 'number' ? jsonReal(value) : null),
  },
  /** A real in decimal digits without an exponent. */
  decimal: {
    sqlName: 'dynamic_query_decimal',
    apply: (value) => (typeof value === 'number' ? Decimals.decimalDigits(value) : null),
  },
  /**
   * A text, or its bytes, without regard to case, for all scripts; SQLite's lower() knows ASCII
   * only. JavaScript writes a sigma at the end of a word as `ς`, and so the same letter in two
   * ways.
   */
  fold: {
    sqlName: 'dynamic_query_fold',
    apply: (value) => (value === null ? null : fold(textOf(value))),
  },
  /** The text with a NUL that it is given, unless this version of Node has cut it there. */
  whole: {
    sqlName: 'dynamic_query_whole',
    apply: (value) => {
      if (typeof value === 'string' && value.includes('\0')) return value;
      throw new RangeError('This version of Node cuts texts at a NUL.');
    },
  },
  /** Decimal digits, as they sort by their bytes. */
  decimalOrder: {
    sqlName: 'dynamic_query_decimal_order',
    apply: (value) => (value === null ? null : decimalOrder(String(value))),
  },
  /** The base64 text of a blob (RFC 4648 §4). */
  base64: {
    sqlName: 'dynamic_query_base64',
    apply: (value) => (value instanceof Uint8Array ? bytesOf(value).toString('base64') : null),
  },
  /** How a value stores a date, for people. */
  storedForm: {
    sqlName: 'dynamic_query_stored_form',
    apply: (value) => (value === null ? null : storedForm(value)),
  },
} as const satisfies Record<string, SqlFunction>;

const DATE_FORMS: readonly Moments.DateForm[] = ['date', 'timestamp'];

/** The name of the function that gives the form in which dates stored in this way are compared. */
export function comparedFormName(form: Moments.DateForm, storedAs: StoredAs): string {
  return `dynamic_query_${form}_of_${storedAs}`;
}

/** The aggregate that adds values by their decimal digits. */
export const SUM_FUNCTION = 'dynamic_query_sum';

/** The same for floating point numbers, which travel with fewer digits. */
export const FLOAT_SUM_FUNCTION = 'dynamic_query_float_sum';

/** Adds up the halves of a sum of whole numbers, and the digits of a sum of others. */
export const TOTAL_FUNCTION = 'dynamic_query_total';

/** Divides the same by how many numbers they are of. */
export const AVERAGE_FUNCTION = 'dynamic_query_average';

/** Adds the functions to a connection. */
export function defineFunctions(database: DatabaseSync): void {
  defineSum(database, SUM_FUNCTION, Decimals.decimalDigits);
  defineSum(database, FLOAT_SUM_FUNCTION, Decimals.shortestDigits);
  const options = { deterministic: true, useBigIntArguments: true };
  const ofSeveral = { ...options, varargs: true };
  database.function(TOTAL_FUNCTION, ofSeveral, totalOfParts);
  database.function(AVERAGE_FUNCTION, ofSeveral, averageOfParts);
  for (const { sqlName, apply } of Object.values(SQL_FUNCTIONS))
    database.function(sqlName, options, apply);
  for (const form of DATE_FORMS) {
    for (const storedAs of STORED_AS) {
      const apply = (value: SqlValue): string | null =>
        value === null ? null : comparedForm(value, form, storedAs);
      database.function(comparedFormName(form, storedAs), options, apply);
    }
  }
}

/** What Node's own types say of accumulators is less than it takes. */
interface AggregateDatabase {
  aggregate<Accumulator>(
    name: string,
    options: {
      readonly start: () => Accumulator;
      readonly step: (accumulator: Accumulator, value: SqlValue) => Accumulator;
      readonly result: (accumulator: Accumulator) => SqlValue;
      readonly useBigIntArguments: boolean;
    },
  ): void;
}

function defineSum(
  database: DatabaseSync,
  name: string,
  digitsOf: (value: number) => string,
): void {
  (database as unknown as AggregateDatabase).aggregate(name, {
    start: () => new ExactSum(digitsOf),
    step: (sum, value) => sum.add(value),
    result: (sum) => sum.text,
    useBigIntArguments: true,
  });
}

function fold(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

function textOf(value: Exclude<SqlValue, null>): string {
  return value instanceof Uint8Array ? bytesOf(value).toString() : String(value);
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function jsonNumber(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0' : String(value);
}

function jsonReal(value: number): string {
  const point = Number.isInteger(value) ? '.0' : '';
  const isExact = point === '' ? Number.isFinite(value) : Number.isSafeInteger(value);
  return isExact
    ? `${jsonNumber(value)}${point}`
    : JSON.stringify({ number: `${Decimals.decimalDigits(value)}${point}` });
}
