import { performance } from 'node:perf_hooks';

import { boundedCount, boundedRows, boundedStatement, needsCount } from '../bounded.ts';
import { DEEP_OFFSET, readPages, singlePage } from '../snapshot.ts';
import type { BoundedPage, BoundedRows, PageRows, QueryPage, Snapshot } from '../source.ts';

/**
 * Reads a page and its total. The rows of a page near the beginning are read before the total,
 * which they may prove.
 */
export async function readPage(snapshot: Snapshot, page: QueryPage): Promise<PageRows> {
  return page.range.offset > DEEP_OFFSET
    ? singlePage(await readPages(snapshot, [page]))
    : readRowsFirst(snapshot, page);
}

async function readRowsFirst(
  snapshot: Snapshot,
  { query, range: { size, offset } }: QueryPage,
): Promise<PageRows> {
  const started = performance.now();
  const { relation, rows: statement, fields, maxBytes } = query;
  const bindings = { size, offset };
  const rows = { relation, statement, bindings, fields, reversed: false, maxBytes };
  const page = await snapshot.rows(rows);
  const readAt = performance.now();
  const proven = query.shortPageProof && page.rows < size && (page.rows > 0 || offset === 0n);
  const total = proven ? offset + BigInt(page.rows) : await snapshot.count(query.count);
  const milliseconds = { rows: readAt - started, count: performance.now() - readAt };
  return { ...page, total, milliseconds };
}

/** Reads a page of a list that is not counted, or only as far as a limit. */
export async function readBounded(snapshot: Snapshot, page: BoundedPage): Promise<BoundedRows> {
  const started = performance.now();
  const read = await snapshot.rows(boundedStatement(page));
  const readAt = performance.now();
  const counted = needsCount(page, read.rows)
    ? await snapshot.count(boundedCount(page))
    : undefined;
  const milliseconds = { rows: readAt - started, count: performance.now() - readAt };
  return boundedRows(page, { ...read, counted, milliseconds });
}
