import type { Column, Extreme, Extremes, Field, WireType } from '@proj/engine/database';

/** By name, without what is in parentheses; lists are arrays, and all others have a text form. */
const WIRE_TYPES: Readonly<Record<string, WireType>> = {
  TINYINT: 'int32',
  SMALLINT: 'int32',
  INTEGER: 'int32',
  UTINYINT: 'int32',
  USMALLINT: 'int32',
  UINTEGER: 'int64',
  BIGINT: 'int64',
  UBIGINT: 'int64',
  HUGEINT: 'decimal',
  UHUGEINT: 'decimal',
  BIGNUM: 'decimal',
  DECIMAL: 'decimal',
  FLOAT: 'float64',
  DOUBLE: 'float64',
  BOOLEAN: 'boolean',
  VARCHAR: 'text',
  UUID: 'uuid',
  ENUM: 'enum',
  DATE: 'date',
  TIME: 'time',
  TIME_NS: 'time',
  TIMESTAMP: 'timestamp',
  TIMESTAMP_S: 'timestamp',
  TIMESTAMP_MS: 'timestamp',
  TIMESTAMP_NS: 'timestamp',
  'TIMESTAMP WITH TIME ZONE': 'timestamp_tz',
  INTERVAL: 'interval',
  BLOB: 'bytes',
  JSON: 'json',
  STRUCT: 'json',
  MAP: 'json',
  UNION: 'json',
  VARIANT: 'json',
};

export function wireTypeOf(type: string): Pick<Column, 'type' | 'items'> {
  const element = elementOf(type);
  if (element === undefined) return { type: WIRE_TYPES[nameOf(type)] ?? 'other' };
  const { type: items } = wireTypeOf(element);
  return items === 'array' ? { type: 'json' } : { type: 'array', items };
}

/** Of values that are computed, such as numbers of bins, and have no type of DuckDB's. */
export const COMPUTED: Readonly<Partial<Record<WireType, string>>> = {
  int32: 'INTEGER',
  int64: 'BIGINT',
  decimal: 'BIGNUM',
  float64: 'DOUBLE',
  boolean: 'BOOLEAN',
  uuid: 'UUID',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  timestamp_tz: 'TIMESTAMP WITH TIME ZONE',
};

/** DuckDB's name of a field's type. */
export function typeOf({ type, databaseType }: Pick<Field, 'type' | 'databaseType'>): string {
  return wireTypeOf(databaseType).type === type ? databaseType : (COMPUTED[type] ?? 'VARCHAR');
}

/** `DECIMAL` of `decimal(10,2)`. */
export function nameOf(type: string): string {
  return /^[^(]*/.exec(type)?.[0].trim().toUpperCase() ?? '';
}

/** The type of a list's values; undefined for other types. */
export function elementOf(type: string): string | undefined {
  return /^([^]+)\[\d*\]$/.exec(type)?.[1];
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export interface Member {
  readonly name: string;
  readonly type: string;
}

/** The members of `STRUCT(a INTEGER, "b c" VARCHAR[])` or of a union, or a map's two types. */
export function membersOf(type: string): Member[] {
  const within = type.slice(type.indexOf('(') + 1, type.lastIndexOf(')'));
  return partsOf(within).map((part) => {
    const [, inQuotes, plain, rest = part] =
      /^(?:"((?:[^"]|"")*)"|([^\s"(]+))\s+([^]+)$/.exec(part) ?? [];
    return { name: inQuotes?.replaceAll('""', '"') ?? plain ?? '', type: rest };
  });
}

/** A map's types, which have no names. */
export function typesOfMap(type: string): string[] {
  return partsOf(type.slice(type.indexOf('(') + 1, type.lastIndexOf(')')));
}

/** Splits at commas outside of parentheses and quotes. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const [token] of text.matchAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'|[^]/g)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ',' && depth === 0) {
      parts.push(part.trim());
      part = '';
    } else part += token;
  }
  return [...parts, part.trim()];
}

export interface Digits {
  readonly width: number;
  /** Behind the point. */
  readonly scale: number;
}

/** Undefined for other types than `decimal(p,s)`. */
export function digitsOf(type: string): Digits | undefined {
  const [, width, scale] = /^decimal\((\d+),\s*(\d+)\)$/i.exec(type) ?? [];
  return width === undefined ? undefined : { width: Number(width), scale: Number(scale) };
}

/** The limits of its calendars: https://duckdb.org/docs/stable/sql/data_types/timestamp */
const DATES: readonly Extreme[] = [
  'infinity',
  { first: [-5_877_641, 6, 25], last: [5_881_580, 7, 10] },
];
const MOMENTS: readonly Extreme[] = [
  'infinity',
  // Days of an earlier year are shown, but JavaScript has no dates to filter by.
  { first: [-271_820, 1, 1], last: [294_246, 12, 31] },
];

/** What DuckDB holds beyond the values of the wire types. */
export function extremesOf(type: string): Extremes {
  const name = nameOf(type);
  return {
    date: DATES,
    // Nanoseconds reach from 1677 to 2262, and have no infinity.
    timestamp: name === 'TIMESTAMP_NS' ? ['nanoseconds'] : MOMENTS,
    timestamp_tz: MOMENTS,
    time: ['end_of_day', ...(name === 'TIME_NS' ? (['nanoseconds'] as const) : [])],
    float64: ['not_a_number', 'infinity'],
    text: ['nul'],
    ...(type.startsWith('U') && { int64: ['unsigned'] }),
  };
}
