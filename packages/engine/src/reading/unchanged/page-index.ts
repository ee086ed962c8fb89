import type { Checkpoints } from '../../sources/following/followed-moment.ts';
import type { Key } from '../../sql/clauses/seek.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import { type PageRange, rowsBy, type RowsStatement } from '../../sql/query-statements.ts';

export interface PageIndex {
  readonly version: string;
  readonly step: number;
  readonly keys: readonly Key[];
}

/** Reads a page from the last key before it; undefined without one. */
export function seekFrom(
  checkpoints: Checkpoints,
  query: PreparedQuery,
  { size, offset }: PageRange,
): RowsStatement | undefined {
  const { length, keyAt, rowsBefore } = checkpoints;
  const place = placesBefore(checkpoints, offset + 1n) - 1;
  if (place < 0) return undefined;
  const key = keyAt(place);
  const behind = placesBefore(checkpoints, offset + BigInt(size));
  const shape = {
    nulls: key.map((value) => value === null),
    reachesNulls: behind === length || keyAt(behind)[0] === null,
  };
  const bindings = { size, offset: offset - rowsBefore(place), key };
  return rowsBy(query.statements, query.seek(shape), bindings);
}

function placesBefore({ length, rowsBefore }: Checkpoints, rows: bigint): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rowsBefore(middle) < rows) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** While an index grows, the keys it has so far. */
export function checkpointsOf({ step, keys }: PageIndex): Checkpoints {
  return {
    length: keys.length,
    keyAt: (index) => keys[index] ?? [],
    rowsBefore: (index) => BigInt(index) * BigInt(step),
  };
}

const INDEX_BYTES = 100;
const KEY_BYTES = 48;
const VALUE_BYTES = 16;

export function bytesOfIndex({ keys }: PageIndex): number {
  let bytes = INDEX_BYTES;
  for (const key of keys) {
    bytes += KEY_BYTES;
    for (const value of key) bytes += VALUE_BYTES + bytesOfValue(value);
  }
  return bytes;
}

function bytesOfValue(value: unknown): number {
  if (typeof value === 'string') return value.length * 2;
  return value instanceof Uint8Array ? value.byteLength + 100 : 8;
}
