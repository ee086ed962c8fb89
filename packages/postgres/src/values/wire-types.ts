import type { Extreme, Extremes, WireType } from '@proj/engine/database';

export interface CatalogueType {
  readonly name: string;
  /** pg_type.typtype: b a base type, e an enumeration, c a composite, r a range. */
  readonly kind: string;
  /** Rather than by an extension or a user. */
  readonly built_in: boolean;
}

/** By name; all others travel in their text form. */
const BUILT_IN: Readonly<Record<string, WireType>> = {
  int2: 'int32',
  int4: 'int32',
  int8: 'int64',
  numeric: 'decimal',
  money: 'decimal',
  float4: 'float64',
  float8: 'float64',
  bool: 'boolean',
  text: 'text',
  varchar: 'text',
  bpchar: 'text',
  name: 'text',
  char: 'text',
  uuid: 'uuid',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  timestamptz: 'timestamp_tz',
  bytea: 'bytes',
  json: 'json',
  jsonb: 'json',
};

export function wireTypeOf(
  type: CatalogueType,
  items: CatalogueType | null,
): { type: WireType; items?: WireType } {
  if (items === null) return { type: scalarType(type) };
  const element = scalarType(items);
  // PostgreSQL writes the bytes of an array in hexadecimal only.
  return element === 'bytes' ? { type: 'other' } : { type: 'array', items: element };
}

function scalarType({ name, kind, built_in }: CatalogueType): WireType {
  if (kind === 'e') return 'enum';
  if (built_in) return (Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined) ?? 'other';
  return name === 'citext' ? 'text' : 'other';
}

/** The limits of its calendars: https://www.postgresql.org/docs/current/datatype-datetime.html */
const FIRST_DAY = [-4713, 11, 24] as const;
const DATES: readonly Extreme[] = ['infinity', { first: FIRST_DAY, last: [5_874_897, 12, 31] }];
const MOMENTS: readonly Extreme[] = ['infinity', { first: FIRST_DAY, last: [294_276, 12, 31] }];

/** PostgreSQL 14 brought infinite numerics; before, the word was an error. */
const INFINITE_NUMERIC = 140_000;

/** What PostgreSQL holds beyond the wire types' values, by `server_version_num`. */
export function extremesOf(version: number): Extremes {
  return {
    date: DATES,
    timestamp: MOMENTS,
    timestamp_tz: MOMENTS,
    time: ['end_of_day'],
    float64: ['not_a_number', 'infinity'],
    decimal: version >= INFINITE_NUMERIC ? ['not_a_number', 'infinity'] : ['not_a_number'],
  };
}
