import { performance } from 'node:perf_hooks';

import { fromNearerEnd } from '../sql/nearer-end.ts';
import type { PageRows, QueryPage, RowsRead, Snapshot } from './source.ts';

/**
 * Records behind so many others take their time to be found. There it pays to know the total first,
 * since it says from which end to read.
 */
export const DEEP_OFFSET = 1000n;

/** A total, and how long counting it took, in milliseconds. */
interface Counted {
  readonly total: bigint;
  readonly countMs: number;
}

/** Reads pages of lists that have one total, which is counted once, each from its nearer end. */
export async function readPages(
  snapshot: Snapshot,
  pages: readonly QueryPage[],
): Promise<PageRows[]> {
  const [first] = pages;
  if (first === undefined) return [];
  const started = performance.now();
  const total = await snapshot.count(first.query.count);
  const counted = { total, countMs: performance.now() - started };
  const read: PageRows[] = [];
  for (const page of pages) read.push(await readCountedPage(snapshot, page, counted));
  return read;
}

/** The only page of a batch of one. */
export function singlePage([page]: readonly PageRows[]): PageRows {
  if (page === undefined) throw new Error('A batch without pages was read.');
  return page;
}

async function readCountedPage(
  snapshot: Snapshot,
  { query, range }: QueryPage,
  { total, countMs }: Counted,
): Promise<PageRows> {
  const started = performance.now();
  const read = fromNearerEnd(query, range, total);
  const rows = read === undefined ? await noRows(snapshot) : await snapshot.rows(read);
  return { ...rows, total, milliseconds: { count: countMs, rows: performance.now() - started } };
}

/** A page past the end has no rows that could carry their version. */
async function noRows(snapshot: Snapshot): Promise<RowsRead> {
  return { json: '[]', rows: 0, version: await snapshot.version() };
}
