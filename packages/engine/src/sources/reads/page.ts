import { performance } from 'node:perf_hooks';

import { fromNearerEnd } from '../../sql/nearer-end.ts';
import type { PageRange, QueryStatements } from '../../sql/query-statements.ts';
import { shapeOf } from '../statement-shape.ts';
import type { RowsRead, Versioned } from './primitives.ts';
import type { SnapshotRule } from './rule.ts';
import type { Snapshot } from './snapshot.ts';

/** A page of a prepared query. */
export interface QueryPage {
  readonly query: QueryStatements;
  readonly range: PageRange;
}

/** A page with its total, both from one snapshot. */
export interface PageRows extends RowsRead {
  readonly total: bigint;
  /** How long each took; all is under `rows` where one statement read both. */
  readonly milliseconds: { readonly rows: number; readonly count: number };
}

/** Pages of lists that have one total. */
export interface PagesRead extends Versioned {
  readonly pages: readonly Omit<PageRows, 'version'>[];
}

/** A page and its total, where its rows have snapshots. */
export const PAGE: SnapshotRule<QueryPage, PageRows> = {
  termsOf: ({ query }) => query,
  shapeOf: ({ query, range }) => shapeOf(`page ${query.rows.sql}`, range),
  inSnapshot: async (snapshot, page) =>
    page.range.offset > DEEP_OFFSET
      ? readFromNearerEnd(snapshot, page)
      : readRowsFirst(snapshot, page),
};

/** Such pages, which are as deep as their sum. */
export const PAGES: SnapshotRule<readonly QueryPage[], PagesRead> = {
  termsOf: ([first]) => first?.query ?? {},
  shapeOf: (pages) =>
    shapeOf(`batch ${pages[0]?.query.rows.sql}`, {
      size: pages.reduce((sum, page) => sum + page.range.size, 0),
      offset: pages.reduce((sum, page) => sum + page.range.offset, 0n),
    }),
  inSnapshot: readPages,
};

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
): Promise<PagesRead> {
  const [first] = pages;
  if (first === undefined) return { pages: [], version: undefined };
  const counted = await countOf(snapshot, first);
  const read: PageRows[] = [];
  for (const page of pages) read.push(await readCountedPage(snapshot, page, counted));
  return { pages: read, version: read[0]?.version };
}

async function countOf(snapshot: Snapshot, { query }: QueryPage): Promise<Counted> {
  const started = performance.now();
  const total = await snapshot.count(query.count);
  return { total, countMs: performance.now() - started };
}

/** Reads a page after its total, which says from which end. */
export async function readFromNearerEnd(snapshot: Snapshot, page: QueryPage): Promise<PageRows> {
  return readCountedPage(snapshot, page, await countOf(snapshot, page));
}

/**
 * The rows of a page near the beginning are read before the total, which they may prove.
 */
async function readRowsFirst(
  snapshot: Snapshot,
  { query, range: { size, offset } }: QueryPage,
): Promise<PageRows> {
  const started = performance.now();
  const { relations, rows: statement, fields, maxBytes } = query;
  const bindings = { size, offset };
  const rows = { relations, statement, bindings, fields, reversed: false, maxBytes };
  const page = await snapshot.rows(rows);
  const readAt = performance.now();
  const proven = query.shortPageProof && page.rows < size && (page.rows > 0 || offset === 0n);
  const total = proven ? offset + BigInt(page.rows) : await snapshot.count(query.count);
  const milliseconds = { rows: readAt - started, count: performance.now() - readAt };
  return { ...page, total, milliseconds };
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
