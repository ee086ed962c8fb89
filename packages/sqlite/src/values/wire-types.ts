import type { Extremes, WireType } from '@proj/engine/database';

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
