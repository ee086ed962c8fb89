import { performance } from 'node:perf_hooks';

import { fromNearerEnd } from '../../sql/nearer-end.ts';
import type { QueryStatements } from '../../sql/query-statements.ts';
import { bind, type Statement, type Template } from '../../sql/statement.ts';
import type { PageFound, PageRows } from './page.ts';
import type { RowsRead } from './primitives.ts';
import type { SnapshotRule } from './rule.ts';
import type { Snapshot } from './snapshot.ts';

/** A page that was found by a record that it holds, with its total, all from one snapshot. */
export interface RecordRows extends PageRows {
  /** How many records come before the page; undefined where the list does not have the record. */
  readonly offset: bigint | undefined;
}

/** The page of a list that holds a record is asked for. */
export interface AskedRecord {
  readonly query: QueryStatements;
  readonly size: number;
  /** Selects the key of the record. */
  readonly find: Statement;
  /** Counts the records before one whose key has NULL in these places. */
  readonly before: { readonly nulls: readonly boolean[]; readonly template: Template };
  /** How many records the list has; undefined where that is not known. */
  readonly total: bigint | undefined;
}

/** Such a page, unless the key of the record has NULL in other places. */
export interface RecordReading extends RecordRows {
  readonly otherNulls?: readonly boolean[];
}

/** The page that holds a record, where its rows have snapshots. */
export const RECORD: SnapshotRule<AskedRecord, RecordReading> = {
  termsOf: ({ query }) => query,
  inSnapshot: readRecord,
};

/** The list does not have the record. It has no version, and so is not kept. */
export const NOT_IN_LIST: RecordRows = Object.freeze({
  json: '[]',
  rows: 0,
  total: 0n,
  offset: undefined,
  version: undefined,
  milliseconds: Object.freeze({ rows: 0, count: 0 }),
});

/**
 * No rows: by the known total the page is past the end of the list, so that total is of another
 * state.
 */
export const NO_ROWS: RowsRead = Object.freeze({ json: '[]', rows: 0, version: undefined });

/** Finds the place of a record by a count of those before it, and reads the page that has it. */
async function readRecord(
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

/** A page that one statement found by a record, of which it read the total and the rank. */
export function withPlace(size: number, { numbers = [], ...page }: PageFound): RecordRows {
  const [total, rank] = numbers;
  if (typeof rank !== 'bigint') return NOT_IN_LIST;
  return { ...page, total: total ?? 0n, offset: offsetOfPage(rank, size) };
}
