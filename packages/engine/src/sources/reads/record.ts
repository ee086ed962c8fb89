import { fromNearerEnd, type QueryStatements } from '../../sql/query-statements.ts';
import { bind, type Statement, type Template } from '../../sql/statement.ts';
import type { PageFound, PageRows } from './page.ts';
import type { RowsRead, Snapshot, SnapshotRule } from './snapshot.ts';

export interface RecordRows extends PageRows {
  readonly offset: bigint | undefined;
}

export interface AskedRecord {
  readonly query: QueryStatements;
  readonly size: number;
  readonly find: Statement;
  /** Counts the records before a key with NULL in these places. */
  readonly before: { readonly nulls: readonly boolean[]; readonly template: Template };
  readonly total: bigint | undefined;
}

export interface RecordReading extends RecordRows {
  readonly otherNulls?: readonly boolean[];
}

export const RECORD: SnapshotRule<AskedRecord, RecordReading> = {
  termsOf: ({ query }) => query,
  inSnapshot: readRecord,
};

/** Has no version, so it is not kept. */
export const NOT_IN_LIST: RecordRows = Object.freeze({
  json: '[]',
  rows: 0,
  total: 0n,
  offset: undefined,
  version: undefined,
  milliseconds: Object.freeze({ rows: 0, count: 0 }),
});

/** The page is past the end by the known total, which must be of another state. */
export const NO_ROWS: RowsRead = Object.freeze({ json: '[]', rows: 0, version: undefined });

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

/** How many records come before the page of a record with this number, from 0. */
export function offsetOfPage(rank: bigint, size: number): bigint {
  return rank - (rank % BigInt(size));
}

export function withPlace(size: number, { numbers = [], ...page }: PageFound): RecordRows {
  const [total, rank] = numbers;
  if (typeof rank !== 'bigint') return NOT_IN_LIST;
  return { ...page, total: total ?? 0n, offset: offsetOfPage(rank, size) };
}
