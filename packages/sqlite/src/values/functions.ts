import type { DatabaseSync } from 'node:sqlite';

import {
  Decimals,
  type Expression,
  type Moments,
  STORED_AS,
  type StoredAs,
} from '@proj/engine/database';
import { sql } from 'kysely';

import { averageOfParts, decimalOrder, ExactSum, totalOfParts } from './exact-sum.ts';
import { comparedForm, type SqlValue, storedForm } from './date-form.ts';
import { HOLDS_FUNCTION, holdsValues } from './json-values.ts';

interface SqlFunction {
  readonly sqlName: string;
  readonly apply: (value: SqlValue) => string | null;
}

/** For each reader connection: SQLite prints reals its own way (`1.0e+20`) and has no base64. */
export const SQL_FUNCTIONS = {
  /** As JSON: the shortest digits that read back to the real. */
  number: {
    sqlName: 'dynamic_query_number',
    apply: (value) => (typeof value === 'number' ? jsonNumber(value) : null),
  },
  /** As JSON, among other types: always with a point or an exponent. */
  real: {
    sqlName: 'dynamic_query_real',
    apply: (value) => (typeof value === 'number' ? jsonReal(value) : null),
  },
  decimal: {
    sqlName: 'dynamic_query_decimal',
    apply: (value) => (typeof value === 'number' ? Decimals.decimalDigits(value) : null),
  },
  /** SQLite's `lower` knows ASCII only; JavaScript's has two sigmas, one at the end of words. */
  fold: {
    sqlName: 'dynamic_query_fold',
    apply: (value) => (value === null ? null : fold(textOf(value))),
  },
  /** Fails if this version of Node cut a text at its NUL. */
  whole: {
    sqlName: 'dynamic_query_whole',
    apply: (value) => {
      if (typeof value === 'string' && value.includes('\0')) return value;
      throw new RangeError('This version of Node cuts texts at a NUL.');
    },
  },
  decimalOrder: {
    sqlName: 'dynamic_query_decimal_order',
    apply: (value) => (value === null ? null : decimalOrder(String(value))),
  },
  /** Base64 of a blob (RFC 4648 §4). */
  base64: {
    sqlName: 'dynamic_query_base64',
    apply: (value) => (value instanceof Uint8Array ? bytesOf(value).toString('base64') : null),
  },
  storedForm: {
    sqlName: 'dynamic_query_stored_form',
    apply: (value) => (value === null ? null : storedForm(value)),
  },
} as const satisfies Record<string, SqlFunction>;

const DATE_FORMS: readonly Moments.DateForm[] = ['date', 'timestamp'];

export function comparedFormName(form: Moments.DateForm, storedAs: StoredAs): string {
  return `dynamic_query_${form}_of_${storedAs}`;
}

export const SUM_FUNCTION = 'dynamic_query_sum';

/** Floating point numbers travel with fewer digits. */
export const FLOAT_SUM_FUNCTION = 'dynamic_query_float_sum';

/** Adds the halves of a sum of whole numbers, and the digits of another sum. */
export const TOTAL_FUNCTION = 'dynamic_query_total';

export const AVERAGE_FUNCTION = 'dynamic_query_average';

export function defineFunctions(database: DatabaseSync): void {
  defineSum(database, SUM_FUNCTION, Decimals.decimalDigits);
  defineSum(database, FLOAT_SUM_FUNCTION, Decimals.shortestDigits);
  const options = { deterministic: true, useBigIntArguments: true };
  const ofSeveral = { ...options, varargs: true };
  database.function(TOTAL_FUNCTION, ofSeveral, totalOfParts);
  database.function(AVERAGE_FUNCTION, ofSeveral, averageOfParts);
  database.function(HOLDS_FUNCTION, ofSeveral, holdsValues);
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

/** Node's own types lack what accumulators take. */
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

export function callFunction(name: keyof typeof SQL_FUNCTIONS, value: Expression): Expression {
  return sql`${sql.raw(SQL_FUNCTIONS[name].sqlName)}(${value})`;
}

/** Node 22 cuts such texts on their way out of SQLite, as columns and into functions. */
export function hasNul(value: Expression): Expression {
  return sql`typeof(${value}) = 'text' and instr(${value}, char(0)) > 0`;
}

/** A raw column, or an error where it would be cut. */
export function wholeOrFail(column: Expression): Expression {
  return sql`case when ${hasNul(column)} then ${callFunction('whole', column)} else ${column} end`;
}

export function withoutNul(value: Expression): Expression {
  return sql`case when ${hasNul(value)} then '' else ${value} end`;
}
