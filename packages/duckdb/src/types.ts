import {
  type Column,
  type Extreme,
  type Extremes,
  type Field,
  Introspection,
  type WireType,
} from '@proj/engine/database';

export type Ask = <Row>(sql: string) => Promise<readonly Row[]>;

/** Without parentheses. Values that are computed have the first; all others are texts. */
const NAMES: Readonly<Partial<Record<WireType, readonly string[]>>> = {
  int32: ['INTEGER', 'TINYINT', 'SMALLINT', 'UTINYINT', 'USMALLINT'],
  int64: ['BIGINT', 'UINTEGER', 'UBIGINT'],
  decimal: ['BIGNUM', 'DECIMAL', 'HUGEINT', 'UHUGEINT'],
  float64: ['DOUBLE', 'FLOAT'],
  boolean: ['BOOLEAN'],
  text: ['VARCHAR'],
  uuid: ['UUID'],
  enum: ['ENUM'],
  date: ['DATE'],
  time: ['TIME', 'TIME_NS'],
  timestamp: ['TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS'],
  timestamp_tz: ['TIMESTAMP WITH TIME ZONE'],
  interval: ['INTERVAL'],
  bytes: ['BLOB'],
  json: ['JSON', 'STRUCT', 'MAP', 'UNION', 'VARIANT'],
};

const WIRE_TYPES = Introspection.wireTypesByName(NAMES);

export function wireTypeOf(type: string): Pick<Column, 'type' | 'items'> {
  const element = elementOf(type);
  if (element === undefined) return { type: WIRE_TYPES.get(nameOf(type)) ?? 'other' };
  const { type: items } = wireTypeOf(element);
  return items === 'array' ? { type: 'json' } : { type: 'array', items };
}

/** What values of the type are cast to where their column does not say. */
function castOf(type: WireType): string {
  return (type === 'enum' ? undefined : NAMES[type]?.[0]) ?? 'VARCHAR';
}

/** What operands and bounds of bins are cast to. */
export function comparedType({ type, databaseType }: Field): string {
  if (type === 'int32' || type === 'int64') return 'hugeint';
  if (type === 'decimal') return digitsOf(databaseType) === undefined ? 'bignum' : databaseType;
  return type === 'time' ? databaseType : castOf(type);
}

/** DuckDB's name of a field's type. */
export function typeOf({ type, databaseType }: Pick<Field, 'type' | 'databaseType'>): string {
  return wireTypeOf(databaseType).type === type ? databaseType : castOf(type);
}

/** `DECIMAL` of `decimal(10,2)`. */
export function nameOf(type: string): string {
  return /^[^(]*/.exec(type)?.[0].trim().toUpperCase() ?? '';
}

/** The type of a list's values. */
export function elementOf(type: string): string | undefined {
  return /^([^]+)\[\d*\]$/.exec(type)?.[1];
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}

/** DuckDB writes `0044-03-15 (BC) 10:00:00` for `0044-03-15T10:00:00 BC`. */
export function ownMoment(text: string): string {
  if (!text.endsWith(' BC')) return text;
  const [day = '', time] = text.slice(0, -3).split('T');
  return time === undefined ? `${day} (BC)` : `${day} (BC) ${time}`;
}

/** Of `STRUCT(a INTEGER, "b c" VARCHAR[])`, or a union; those of `STRUCT(INTEGER)` have no name. */
export function membersOf(type: string): { readonly name: string; readonly type: string }[] {
  return partsOf(type).map((part) => {
    const [, name = '', rest = part] =
      /^(?!TIME(?:STAMP)? WITH )("(?:[^"]|"")*"|[^\s"(]+)\s+([^]+)$/.exec(part) ?? [];
    return { name: unquoted(name), type: rest };
  });
}

/** What is between a type's parentheses, split at commas outside of others and of quotes. */
export function partsOf(type: string): string[] {
  const parts = [''];
  let depth = 0;
  const within = type.slice(type.indexOf('(') + 1, type.lastIndexOf(')'));
  for (const [token] of within.matchAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'|[^]/g)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop()}${token}`);
  }
  return parts.map((part) => part.trim());
}

/** In all, and behind the point. */
export type Digits = Readonly<Record<'width' | 'scale', number>>;

/** Undefined for other types than `decimal(p,s)`. */
export function digitsOf(type: string): Digits | undefined {
  const [, width, scale] = /^decimal\((\d+),\s*(\d+)\)$/i.exec(type) ?? [];
  return width === undefined ? undefined : { width: Number(width), scale: Number(scale) };
}

/** Beyond the wire types: https://duckdb.org/docs/stable/sql/data_types/timestamp */
export function extremesOf(type: string): Extremes {
  const name = nameOf(elementOf(type) ?? type);
  // Days of an earlier year are shown, but JavaScript has no dates to filter by.
  const days: Extreme = { first: [-271_820, 1, 1], last: [294_246, 12, 31] };
  return {
    date: ['infinity', { first: [-5_877_641, 6, 25], last: [5_881_580, 7, 10] }],
    // Nanoseconds reach from 1677 to 2262, and have no infinity.
    timestamp: name === 'TIMESTAMP_NS' ? ['nanoseconds'] : ['infinity', days],
    timestamp_tz: ['infinity', days],
    time: ['end_of_day', ...(name === 'TIME_NS' ? (['nanoseconds'] as const) : [])],
    float64: ['not_a_number', 'infinity'],
    text: ['nul'],
    ...(type.startsWith('U') && { int64: ['unsigned'] }),
  };
}
