import type { Extremes, WireType } from '@proj/engine/database';

/**
 * Declared types that name what the values are meant to be, though to SQLite they are only a hint.
 */
const NAMED: readonly (readonly [RegExp, WireType])[] = [
  [/^BOOL(EAN)?$/, 'boolean'],
  [/^UUID$/, 'uuid'],
  [/^JSON$/, 'json'],
  [/^DATE\b/, 'date'],
  [/^(TIMESTAMPTZ|TIMESTAMP\b.*\bWITH TIME ZONE)\b/, 'timestamp_tz'],
  [/^(DATETIME|TIMESTAMP)\b/, 'timestamp'],
  // SQLite does not know whether a time is of a day or has lasted; the settings can.
  [/^TIME\b/, 'any'],
];

/**
 * The rules by which SQLite derives an affinity from a declared type, in their order:
 * https://sqlite.org/datatype3.html §3.1.
 */
const AFFINITIES: readonly (readonly [RegExp, WireType])[] = [
  [/INT/, 'int64'],
  [/CHAR|CLOB|TEXT/, 'text'],
  [/BLOB/, 'bytes'],
  [/REAL|FLOA|DOUB/, 'float64'],
];

/**
 * The wire type of a column from its declared type. A column that declares none, as an expression
 * in a view, is `any`.
 */
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

/** Columns that a STRICT table keeps to numbers. */
const STRICT_EXTREMES: Readonly<Record<string, Extremes>> = {
  REAL: { ...EXTREMES, int32: ['reals'], float64: ['infinity'], boolean: ['numbers'] },
  INTEGER: { ...EXTREMES, boolean: ['numbers'] },
  INT: { ...EXTREMES, boolean: ['numbers'] },
};

/**
 * What SQLite holds beyond the values of the wire types in a column of this declared type: any
 * value, unless the table is STRICT.
 */
export function extremesOf(declared: string, isStrict: boolean): Extremes {
  return (isStrict ? STRICT_EXTREMES[declared.toUpperCase()] : undefined) ?? EXTREMES;
}
