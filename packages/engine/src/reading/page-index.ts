import type { Key } from '../sql/key-ranges.ts';
import type { PreparedQuery } from '../sql/prepared-query.ts';
import type { PageRange, RowsStatement } from '../sql/query-statements.ts';

/** Keys along a list at one version of the data, from its beginning on. */
export interface PageIndex {
  readonly version: string;
  /** How many records are from one key to the next. */
  readonly step: number;
  /** The key of the first record, and of each `step` records further on. */
  readonly keys: readonly Key[];
}

/**
 * The statement that reads a page from the last key before it, however far that is; undefined where
 * there is no key.
 */
export function seekFrom(
  { step, keys }: PageIndex,
  query: PreparedQuery,
  { size, offset }: PageRange,
): RowsStatement | undefined {
  const place = Math.min(Number(offset / BigInt(step)), keys.length - 1);
  const key = keys[place];
  if (key === undefined) return undefined;
  const behind = keys[Number((offset + BigInt(size) - 1n) / BigInt(step)) + 1];
  const shape = {
    nulls: key.map((value) => value === null),
    reachesNulls: behind === undefined || behind[0] === null,
  };
  const { relation, fields, maxBytes } = query.statements;
  const bindings = { size, offset: offset - BigInt(place * step), key };
  return { relation, statement: query.seek(shape), bindings, fields, reversed: false, maxBytes };
}

/** The object itself, and what an array and each of its places take. */
const INDEX_BYTES = 100;
const KEY_BYTES = 48;
const VALUE_BYTES = 16;

/** What an index takes in memory, in bytes, estimated. */
export function bytesOfIndex({ keys }: PageIndex): number {
  return keys.reduce((sum, key) => sum + KEY_BYTES + bytesOfKey(key), INDEX_BYTES);
}

function bytesOfKey(key: Key): number {
  return key.reduce<number>((sum, value) => sum + VALUE_BYTES + bytesOfValue(value), 0);
}

function bytesOfValue(value: unknown): number {
  if (typeof value === 'string') return value.length * 2;
  return value instanceof Uint8Array ? value.byteLength + 100 : 8;
}
