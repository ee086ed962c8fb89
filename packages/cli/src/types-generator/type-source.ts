import type { AttributeEntry } from '@proj/client';

/** As in the client's option of this name. */
export type Int64 = 'string' | 'bigint';

export function typeSource(attribute: AttributeEntry, int64: Int64): string {
  const { type, items, nullable, special_values: special = [], misfits } = attribute;
  const scalar = type === 'array' ? arraySource(items, int64) : scalarSource(type, int64);
  const words = type === 'float64' ? special.map((word) => JSON.stringify(word)) : [];
  const value = [scalar, ...(misfits === undefined ? words : [misfitSource(misfits)])].join(' | ');
  return nullable && value !== 'unknown' ? `${value} | null` : value;
}

function misfitSource(misfits: string): string {
  return misfits === 'numbers' ? '`${number}`' : 'string';
}

/** The catalogue does not say whether an array holds NULL, nor how many dimensions it has. */
function arraySource(items: string | undefined, int64: Int64): string {
  const item = items === undefined ? 'unknown' : itemSource(items, int64);
  return item === 'unknown' ? 'unknown[]' : `(${item} | null)[]`;
}

/** Nor whether floats of an array are all numbers. */
function itemSource(type: string, int64: Int64): string {
  const item = scalarSource(type, int64);
  return type === 'float64' ? `${item} | "NaN" | "Infinity" | "-Infinity"` : item;
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
  'interval',
  'inet',
  'range',
  'bytes',
  'other',
]);

function scalarSource(type: string, int64: Int64): string {
  if (STRINGS.has(type)) return 'string';
  if (type === 'int64') return int64;
  if (type === 'int32' || type === 'float64') return 'number';
  if (type === 'any') return 'number | string | { number: string } | { bytes: string }';
  // `json`, and types of a newer service.
  return type === 'boolean' ? 'boolean' : 'unknown';
}
