import { sql } from 'kysely';

import {
  fromNearerEnd,
  type PageRange,
  type QueryStatements,
  rowsBy,
  type RowsStatement,
} from '../../sql/query-statements.ts';
import { bind, type Expression } from '../../sql/statement.ts';
import { shapeOf, WHOLE_RELATION } from '../read-call.ts';
import type { RowsRead, Versioned, Snapshot, SnapshotRule } from './snapshot.ts';

export interface QueryPage {
  readonly query: QueryStatements;
  readonly range: PageRange;
  /** The most records to count; 0 for none, one more is read. Default: all. */
  readonly countLimit?: number | undefined;
  /** Whether `atOnce` finds the page by a record. Default: false. */
  readonly isOfRecord?: boolean;
}

/** The `numbers` are the total, as far as counted, and the rank. */
export interface PageFound extends RowsRead {
  /** All is under `rows` where one statement read both. */
  readonly milliseconds: { readonly rows: number; readonly count: number };
}

export interface PageRows extends PageFound {
  readonly total: bigint;
}

export interface BoundedRows extends PageFound {
  /** Undefined beyond the limit, or where not counted before the last page. */
  readonly total: bigint | undefined;
  readonly hasNext: boolean;
}

export interface PagesRead extends Versioned {
  readonly pages: readonly Omit<PageFound, 'version'>[];
}

/** Count limits in the same power of ten share a shape. */
export const PAGE: SnapshotRule<QueryPage | RowsStatement, PageFound> = {
  termsOf(page) {
    if ('query' in page) return page.query;
    const { session, mayCall } = page.statement;
    return { relations: page.relations, session, mayCall };
  },
  shapeOf(page) {
    if (!('query' in page)) return shapeOf(`rows ${page.statement.sql}`, page.bindings);
    const { query, range, countLimit, isOfRecord = false } = page;
    if (isOfRecord) return WHOLE_RELATION;
    const kind = countLimit === undefined ? 'page' : `bounded ${String(countLimit).length}`;
    return shapeOf(`${kind} ${query.rows.sql}`, range);
  },
  inSnapshot: readPage,
};

/** Of lists with one total and equal terms. */
export const PAGES: SnapshotRule<readonly QueryPage[], PagesRead> = {
  termsOf: ([first]) => first?.query ?? {},
  shapeOf: (pages) =>
    shapeOf(`batch ${pages[0]?.query.rows.sql}`, {
      size: pages.reduce((sum, page) => sum + page.range.size, 0),
      offset: pages.reduce((sum, page) => sum + page.range.offset, 0n),
    }),
  inSnapshot: readPages,
};

/** From here it pays to know the total first: it says which end is nearer. */
export const DEEP_OFFSET = 1000n;

export function isDeep({ range: { offset }, countLimit }: QueryPage): boolean {
  return countLimit === undefined && offset > DEEP_OFFSET;
}

interface Counted {
  readonly total: bigint;
  readonly countMs: number;
}

/** Counts the one total of all pages once, and reads each page from its nearer end. */
export async function readPages(
  snapshot: Snapshot,
  pages: readonly QueryPage[],
): Promise<PagesRead> {
  const [first] = pages;
  if (first === undefined) return { pages: [], version: undefined };
  const counted = await countOf(snapshot, first);
  const read: PageFound[] = [];
  for (const page of pages) read.push(await readCountedPage(snapshot, page, counted));
  return { pages: read, version: read[0]?.version };
}

async function countOf(snapshot: Snapshot, { query }: QueryPage): Promise<Counted> {
  const started = performance.now();
  const total = await snapshot.count(query.count);
  return { total, countMs: performance.now() - started };
}

export async function readFromNearerEnd(snapshot: Snapshot, page: QueryPage): Promise<PageFound> {
  return readCountedPage(snapshot, page, await countOf(snapshot, page));
}

async function readPage(snapshot: Snapshot, page: QueryPage | RowsStatement): Promise<PageFound> {
  const started = performance.now();
  if (!('query' in page)) return timed(await snapshot.rows(page), started);
  const { atOnce, count } = page.query;
  if (atOnce === undefined && isDeep(page)) return readFromNearerEnd(snapshot, page);
  const read = await snapshot.rows(pageStatement(page));
  if (atOnce !== undefined || !needsCount(page, read.rows)) return timed(read, started);
  const readAt = performance.now();
  const most = { limit: 0, offset: 0, count: (page.countLimit ?? 0) + 1 };
  const numbers = [await snapshot.count(bind(count, most))];
  return timed({ ...read, numbers }, started, performance.now() - readAt);
}

export function timed(read: RowsRead, started: number, count = 0): PageFound {
  return { ...read, milliseconds: { rows: performance.now() - started - count, count } };
}

export function pageStatement({ query, range, countLimit }: QueryPage): RowsStatement {
  const { rows, atOnce = rows } = query;
  if (countLimit === undefined) return rowsBy(query, atOnce, range);
  const bindings = { size: range.size + 1, offset: range.offset, count: countLimit + 1 };
  return { ...rowsBy(query, countLimit === 0 ? rows : atOnce, bindings), oneMore: true };
}

function needsCount({ query, range, countLimit }: QueryPage, rows: number): boolean {
  if (countLimit === 0) return false;
  if (query.shortPageProof && provenTotal({ range, countLimit }, rows) !== undefined) return false;
  if (countLimit === undefined || rows === 0) return true;
  return range.offset + BigInt(rows) <= BigInt(countLimit);
}

/** The total, where the last record is on the page; undefined otherwise. */
function provenTotal(
  { range: { size, offset }, countLimit }: Omit<QueryPage, 'query'>,
  rows: number,
): bigint | undefined {
  // One record more shows the end of a page that is full, too.
  const isEnd = countLimit === undefined ? rows < size : rows <= size;
  return isEnd && (rows > 0 || offset === 0n) ? offset + BigInt(rows) : undefined;
}

/** The rows prove the total where it was not counted. */
export function withTotal(
  { numbers: [total] = [], ...page }: PageFound,
  { offset }: Pick<PageRange, 'offset'> = { offset: 0n },
): PageRows {
  return { ...page, total: total ?? offset + BigInt(page.rows) };
}

/** Of a page with one record more, and as much of the total as is known. */
export function withBoundedTotal(
  page: QueryPage,
  { numbers: [counted] = [], rows, ...read }: PageFound,
): BoundedRows {
  const { size } = page.range;
  const whole = (counted ?? Infinity) <= (page.countLimit ?? 0) ? counted : undefined;
  const total = provenTotal(page, rows) ?? whole ?? undefined;
  return { ...read, rows: Math.min(rows, size), total, hasNext: rows > size };
}

async function readCountedPage(
  snapshot: Snapshot,
  { query, range }: QueryPage,
  { total, countMs }: Counted,
): Promise<PageFound> {
  const started = performance.now();
  const read = fromNearerEnd(query, range, total);
  // A page past the end has no rows that could carry their version.
  const rows =
    read === undefined
      ? { json: '[]', rows: 0, version: await snapshot.version() }
      : await snapshot.rows(read);
  return timed({ ...rows, numbers: [total] }, started - countMs, countMs);
}

/** @param over such as `(order by …)`; empty where rows keep the order of a subquery */
export function numberedRows(rows: Expression, over: Expression): Expression {
  const [number, last] = [sql.id('n'), sql.id('last')];
  return sql`select *,
      row_number() over ${over} - 1 as ${number},
      lead(1) over ${over} is null as ${last}
    from (${rows}) as ${sql.id('r')}`;
}
