import {
  type Expression,
  type Extreme,
  type Extremes,
  type Field,
  Introspection,
  type WireType,
} from '@proj/engine/database';
import { sql } from 'kysely';

export interface CatalogueType {
  readonly name: string;
  /** pg_type.typtype: b a base type, e an enumeration, c a composite, r a range. */
  readonly kind: string;
  /** Rather than by an extension or a user. */
  readonly built_in: boolean;
}

/** SQL: a row of `pg_type` as a {@link CatalogueType}. */
export function typeFacts(row: string): string {
  return `json_build_object(
    'name', ${row}.typname,
    'kind', ${row}.typtype,
    'built_in', ${row}.typnamespace = 'pg_catalog'::regnamespace
  )`;
}

/** By name; all others travel in their text form. */
const BUILT_IN = Introspection.wireTypesByName({
  int32: ['int2', 'int4'],
  int64: ['int8'],
  decimal: ['numeric', 'money'],
  float64: ['float4', 'float8'],
  boolean: ['bool'],
  text: ['text', 'varchar', 'bpchar', 'name', 'char'],
  uuid: ['uuid'],
  date: ['date'],
  time: ['time'],
  timestamp: ['timestamp'],
  timestamp_tz: ['timestamptz'],
  interval: ['interval'],
  inet: ['inet', 'cidr'],
  bytes: ['bytea'],
  json: ['json', 'jsonb'],
});

/** By name; several ranges too. Those of other types travel in their text form. */
const RANGES = Introspection.wireTypesByName({
  int32: ['int4'],
  int64: ['int8'],
  decimal: ['num'],
  date: ['date'],
  timestamp: ['ts'],
  timestamp_tz: ['tstz'],
});

export function wireTypeOf(
  type: CatalogueType,
  items: CatalogueType | null,
): { type: WireType; items?: WireType } {
  const [, of = ''] = /^(.*?)(?:multi)?range$/.exec(type.name) ?? [];
  const bounds = type.built_in ? RANGES.get(of) : undefined;
  if (bounds !== undefined) return { type: 'range', items: bounds };
  if (items === null) return { type: scalarType(type) };
  const element = scalarType(items);
  // PostgreSQL writes the bytes of an array in hexadecimal only.
  return element === 'bytes' ? { type: 'other' } : { type: 'array', items: element };
}

function scalarType({ name, kind, built_in }: CatalogueType): WireType {
  if (kind === 'e') return 'enum';
  if (built_in) return BUILT_IN.get(name) ?? 'other';
  return name === 'citext' ? 'text' : 'other';
}

/** The limits of its calendars: https://www.postgresql.org/docs/current/datatype-datetime.html */
const FIRST_DAY = [-4713, 11, 24] as const;
const DATES: readonly Extreme[] = ['infinity', { first: FIRST_DAY, last: [5_874_897, 12, 31] }];
const MOMENTS: readonly Extreme[] = ['infinity', { first: FIRST_DAY, last: [294_276, 12, 31] }];

/** PostgreSQL 14 brought infinite numerics; before, the word was an error. */
const INFINITE_NUMERIC = 140_000;

/** As PostgreSQL 17 did infinite intervals. */
const INFINITE_INTERVAL = 170_000;

/** What PostgreSQL holds beyond the wire types' values, by `server_version_num`. */
export function extremesOf(version: number): Extremes {
  return {
    date: DATES,
    timestamp: MOMENTS,
    timestamp_tz: MOMENTS,
    time: ['end_of_day'],
    interval: version >= INFINITE_INTERVAL ? ['infinity'] : [],
    float64: ['not_a_number', 'infinity'],
    decimal: version >= INFINITE_NUMERIC ? ['not_a_number', 'infinity'] : ['not_a_number'],
  };
}

/** The first moment beyond 64 bits of microseconds since 1970. */
const TOO_FAR = '294247-01-10 04:00:54.775807';

const FIRST_TOO_FAR: Readonly<Record<string, Expression>> = {
  date: sql`date 'infinity'`,
  timestamp: sql`timestamp '${sql.raw(TOO_FAR)}'`,
  timestamp_tz: sql`timestamptz '${sql.raw(TOO_FAR)}+00'`,
};

/** As in {@link Dialect}: infinite and far dates, NaN among decimals, and lists of lists. */
export function misfits(column: Expression, field: Field): Expression | undefined {
  const { type, items = type, databaseType } = field;
  if (type === 'range') return undefined;
  const end = FIRST_TOO_FAR[items];
  if (type === 'array') {
    const isNested = sql`array_ndims(${column}) > 1`;
    if (end === undefined) return isNested;
    return sql`${isNested} or ${end} <= any(${column}) or '-infinity' = any(${column})`;
  }
  if (end !== undefined) return sql`${column} >= ${end} or ${column} = '-infinity'`;
  return databaseType.startsWith('numeric(') ? sql`${column} = 'NaN'` : undefined;
}
