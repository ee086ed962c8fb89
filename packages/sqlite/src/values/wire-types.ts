import type { Expression, Extremes, Field, WireType } from '@proj/engine/database';
import { sql } from 'kysely';

import { comparedDate, isDate } from './dates.ts';

/** By declared types, which are only a hint to SQLite. */
const NAMED: readonly (readonly [RegExp, WireType])[] = [
  [/^BOOL(EAN)?$/, 'boolean'],
  [/^UUID$/, 'uuid'],
  [/^JSON$/, 'json'],
  [/^DATE\b/, 'date'],
  [/^(TIMESTAMPTZ|TIMESTAMP\b.*\bWITH TIME ZONE)\b/, 'timestamp_tz'],
  [/^(DATETIME|TIMESTAMP)\b/, 'timestamp'],
  // A time of day or a duration: SQLite can't tell, but the settings can.
  [/^TIME\b/, 'any'],
];

/** Affinities by declared type, in SQLite's order: https://sqlite.org/datatype3.html §3.1. */
const AFFINITIES: readonly (readonly [RegExp, WireType])[] = [
  [/INT/, 'int64'],
  [/CHAR|CLOB|TEXT/, 'text'],
  [/BLOB/, 'bytes'],
  [/REAL|FLOA|DOUB/, 'float64'],
];

/** A column without a declared type, as an expression in a view, is `any`. */
export function wireTypeOf(declared: string): WireType {
  const type = declared.trim().toUpperCase();
  if (type === '' || type === 'ANY') return 'any';
  const rule = [...NAMED, ...AFFINITIES].find(([pattern]) => pattern.test(type));
  return rule?.[1] ?? 'decimal';
}

const EXTREMES: Extremes = {
  int32: ['reals', 'texts'],
  int64: ['reals'],
  // It stores NULL for what is not a number.
  float64: ['infinity', 'texts'],
  decimal: ['infinity'],
  boolean: ['numbers', 'texts'],
  text: ['nul'],
  json: ['nul'],
};

/** STRICT tables keep these columns to numbers. */
const STRICT_EXTREMES: Readonly<Record<string, Extremes>> = {
  REAL: { ...EXTREMES, int32: ['reals'], float64: ['infinity'], boolean: ['numbers'] },
  INTEGER: { ...EXTREMES, boolean: ['numbers'] },
  INT: { ...EXTREMES, boolean: ['numbers'] },
};

/** Values beyond those of the wire types: any, unless the table is STRICT. */
export function extremesOf(declared: string, isStrict: boolean): Extremes {
  return (isStrict ? STRICT_EXTREMES[declared.toUpperCase()] : undefined) ?? EXTREMES;
}

/** As in {@link Dialect}: values of another type than their column's. */
export function misfits(column: Expression, { type, storedAs }: Field): Expression | undefined {
  if (storedAs === undefined) return MISFITS[type]?.(column);
  const date = comparedDate(column, { type, storedAs });
  return sql`not ${isDate(date)} or ${date} < '0001' or ${date} glob ${sql.lit(NANOSECONDS)}`;
}

const NANOSECONDS = `*.${'[0-9]'.repeat(7)}*`;

export const UUID = [8, 4, 4, 4, 12].map((digits) => '[0-9a-fA-F]'.repeat(digits)).join('-');

const MISFITS: Partial<Record<WireType, (column: Expression) => Expression>> = {
  int32: (column) => sql`${isNotWhole(column)} or ${column} not between -2147483648 and 2147483647`,
  int64: isNotWhole,
  float64: isNoNumber,
  boolean: (column) => sql`${column} not in (0, 1)`,
  uuid: (column) => sql`${column} not glob ${sql.lit(UUID)}`,
};

function isNotWhole(column: Expression): Expression {
  return sql`${isNoNumber(column)} or ${column} <> cast(${column} as integer)`;
}

function isNoNumber(column: Expression): Expression {
  return sql`typeof(${column}) in ('text', 'blob')`;
}
