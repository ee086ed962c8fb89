import { performance } from 'node:perf_hooks';

import { fromNearerEnd } from '../sql/nearer-end.ts';
import type { RecordPageStatement } from '../sql/query-statements.ts';
import { bind } from '../sql/statement.ts';
import type { AskedRecord, RecordReading, RecordRows, RowsRead, Snapshot } from './source.ts';

/** The list does not have the record. It has no version, and so is not kept. */
export const NOT_IN_LIST: RecordRows = Object.freeze({
  json: '[]',
  rows: 0,
  total: 0n,
  offset: undefined,
  version: undefined,
  milliseconds: Object.freeze({ rows: 0, count: 0 }),
});

/** A page that seems to be past the end, where the total was known wrongly. */
export const NO_ROWS: RowsRead = Object.freeze({ json: '[]', rows: 0, version: undefined });

/** Finds the place of a record by a count of those before it, and reads the page that has it. */
export async function readRecord(
  snapshot: Snapshot,
  { query, size, find, before, total: known }: AskedRecord,
): Promise<RecordReading> {
  const started = performance.now();
  const key = await snapshot.row(find);
  if (key === undefined) return NOT_IN_LIST;
  const nulls = key.map((value) => value === null);
  if (nulls.join() !== before.nulls.join()) return { ...NOT_IN_LIST, otherNulls: nulls };
  const rank = await snapshot.count(bind(before.template, { limit: 0, offset: 0, key }));
  const total = known ?? (await snapshot.count(query.count));
  const countedAt = performance.now();
  const offset = offsetOfPage(rank, size);
  const path = fromNearerEnd(query, { size, offset }, total);
  const rows = path === undefined ? NO_ROWS : await snapshot.rows(path);
  const milliseconds = { count: countedAt - started, rows: performance.now() - countedAt };
  return { ...rows, total, offset, milliseconds };
}

/** How many records come before the page that has the one with this number, from 0 on. */
export function offsetOfPage(rank: bigint, size: number): bigint {
  return rank - (rank % BigInt(size));
}

/** Numbers as the database gives them; no rank where the list does not have the record. */
export interface FoundPlace {
  readonly total: string | number | null | undefined;
  readonly rank: string | number | null | undefined;
}

/** What one statement says of a list, and of the place of a record in it. */
export function placeOfRecord(
  { bindings: { size } }: Pick<RecordPageStatement, 'bindings'>,
  { total, rank }: FoundPlace,
): Pick<RecordRows, 'total' | 'offset'> {
  if (rank === null || rank === undefined) return NOT_IN_LIST;
  return { total: BigInt(total ?? 0), offset: offsetOfPage(BigInt(rank), size) };
}
