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
import { comparedForm, type SqlValue, storedForm, textForm } from './date-form.ts';
import { holdsValues } from './json-values.ts';

/** For each reader connection: SQLite prints reals its own way (`1.0e+20`) and has no base64. */
const FUNCTIONS = {
  /** As JSON: the shortest digits that read back to the real. */
  number: (value: SqlValue) => (typeof value === 'number' ? jsonNumber(value) : null),
  /** As JSON, among other types: always with a point or an exponent. */
  real: (value: SqlValue) => (typeof value === 'number' ? jsonReal(value) : null),
  decimal: (value: SqlValue) => (typeof value === 'number' ? Decimals.decimalDigits(value) : null),
  /** SQLite's `lower` knows ASCII only; JavaScript's has two sigmas, one at the end of words. */
  fold: (value: SqlValue) => (value === null ? null : fold(String(value))),
  foldQuoted: (json: SqlValue) => fold(unquoted(json)),
  hexQuoted: (json: SqlValue) => Buffer.from(unquoted(json)).toString('hex'),
  /** Fails if this version of Node cut a text at its NUL. */
  whole(value: SqlValue) {
    if (typeof value === 'string' && value.includes('\0')) return value;
    throw new RangeError('This version of Node cuts texts at a NUL.');
  },
  decimalOrder: (value: SqlValue) => (value === null ? null : decimalOrder(String(value))),
  base64: (value: SqlValue) => (value instanceof Uint8Array ? textForm(value) : null),
  storedForm: (value: SqlValue) => (value === null ? null : storedForm(value)),
  /** Adds the halves of a sum of whole numbers, and the digits of another sum. */
  total: totalOfParts,
  average: averageOfParts,
  holds: holdsValues,
};

/** Floating point numbers travel with fewer digits. */
const SUMS = { sum: Decimals.decimalDigits, floatSum: Decimals.shortestDigits };

type FunctionName =
  | keyof typeof FUNCTIONS
  | keyof typeof SUMS
  | `${Moments.DateForm}_of_${StoredAs}`;

export function callFunction(name: FunctionName, ...values: readonly Expression[]): Expression {
  return sql`${sql.raw(sqlName(name))}(${sql.join(values)})`;
}

function sqlName(name: string): string {
  return `dynamic_query_${name}`;
}

export function defineFunctions(database: DatabaseSync): void {
  const define = (name: string, apply: (...values: SqlValue[]) => SqlValue): void => {
    const options = { deterministic: true, useBigIntArguments: true, varargs: apply.length === 0 };
    database.function(sqlName(name), options, apply);
  };
  for (const [name, apply] of Object.entries(FUNCTIONS)) define(name, apply);
  for (const [name, digitsOf] of Object.entries(SUMS)) defineSum(database, sqlName(name), digitsOf);
  for (const form of ['date', 'timestamp'] as const) {
    for (const storedAs of STORED_AS)
      define(`${form}_of_${storedAs}`, (value = null) =>
        value === null ? null : comparedForm(value, form, storedAs),
      );
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

/** A text as JSON has it in each encoding of a file, with its NULs escaped. */
function unquoted(json: SqlValue): string {
  return JSON.parse(String(json)) as string;
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
