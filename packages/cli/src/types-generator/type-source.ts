import type { AttributeEntry } from '@proj/client';

/** What whole numbers of 64 bits become, as in the client's option of this name. */
export type Int64 = 'string' | 'bigint';

/** The TypeScript type of an attribute's values. */
export function typeSource({ type, items, nullable }: AttributeEntry, int64: Int64): string {
  const value = type === 'array' ? arraySource(items, int64) : scalarSource(type, int64);
  return nullable && value !== 'unknown' ? `${value} | null` : value;
}

/** The catalogue does not say whether an array holds NULL, nor how many dimensions it has. */
function arraySource(items: string | undefined, int64: Int64): string {
  const item = items === undefined ? 'unknown' : scalarSource(items, int64);
  return item === 'unknown' ? 'unknown[]' : `(${item} | null)[]`;
}

const STRINGS = new Set([
  'text',
  'uuid',
  'enum',
  'decimal',
  'date',
  'time',
  'timestamp',
  'timestamp_tz',
  'bytes',
  'other',
]);

function scalarSource(type: string, int64: Int64): string {
  if (STRINGS.has(type)) return 'string';
  if (type === 'int64') return int64;
  if (type === 'int32') return 'number';
  if (type === 'float64') return "number | 'NaN' | 'Infinity' | '-Infinity'";
  // `json`, and whatever a newer service knows.
  return type === 'boolean' ? 'boolean' : 'unknown';
}
