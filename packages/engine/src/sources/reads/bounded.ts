import { performance } from 'node:perf_hooks';

import type { BoundedStatements, PageRange, RowsStatement } from '../../sql/query-statements.ts';
import { bind, type Statement, type Template } from '../../sql/statement.ts';
import { shapeOf } from '../statement-shape.ts';
import type { PageRows } from './page.ts';
import type { RowsRead } from './primitives.ts';
import type { SnapshotRule } from './rule.ts';
import type { Snapshot } from './snapshot.ts';

/** A page of a list that is not counted, or only as far as a limit. */
export interface BoundedPage {
  readonly query: BoundedStatements;
  readonly range: PageRange;
  /** How many records are counted at most; 0 for none. */
  readonly countLimit: number;
}

/** Such a page, and what is known of the total, from one snapshot. */
export interface BoundedRows extends RowsRead {
  /**
   * How many records the list has. Undefined where they are more than the limit, or were not
   * counted and the page is not the last one.
   */
  readonly total: bigint | undefined;
  /** Whether another page follows. */
  readonly hasNext: boolean;
  readonly milliseconds: PageRows['milliseconds'];
}

/**
 * A page and one record more, counted as far as it asks for. Those that count to limits in the same
 * power of ten have one shape.
 */
export const BOUNDED: SnapshotRule<BoundedPage, BoundedRows> = {
  termsOf: ({ query }) => query,
  shapeOf: ({ query, range, countLimit }) =>
    shapeOf(`bounded ${String(countLimit).length} ${query.rows.sql}`, range),
  inSnapshot: readBounded,
};

/** Reads a page of a list that is not counted, or only as far as a limit. */
async function readBounded(snapshot: Snapshot, page: BoundedPage): Promise<BoundedRows> {
  const started = performance.now();
  const read = await snapshot.rows(boundedStatement(page));
  const readAt = performance.now();
  const counted = needsCount(page, read.rows)
    ? await snapshot.count(boundedCount(page))
    : undefined;
  const milliseconds = { rows: readAt - started, count: performance.now() - readAt };
  return boundedRows(page, { ...read, counted, milliseconds });
}

/** The statement of such a page: it reads one record more, which is only counted. */
export function boundedStatement(
  {
    query: { relations, fields, maxBytes, rows },
    range: { size, offset },
    countLimit,
  }: BoundedPage,
  statement: Template = rows,
): RowsStatement {
  const bindings = { size: size + 1, offset, count: countLimit + 1 };
  return { relations, fields, maxBytes, statement, bindings, reversed: false, oneMore: true };
}

/** The statement that counts the list of such a page, to one more than its limit. */
function boundedCount({ query: { count }, countLimit }: BoundedPage): Statement {
  return bind(count, { limit: 0, offset: 0, count: countLimit + 1 });
}

/** Whether what a page has found leaves open how many records there are, up to the limit. */
export function needsCount({ range, countLimit }: BoundedPage, rows: number): boolean {
  if (countLimit === 0 || provenTotal(range, rows) !== undefined) return false;
  return rows === 0 || range.offset + BigInt(rows) <= BigInt(countLimit);
}

/** What a read of one record more has found. */
export interface BoundedFinding extends RowsRead {
  /** How many records were counted, one more than the limit at most; undefined where none were. */
  readonly counted: bigint | undefined;
  readonly milliseconds: BoundedRows['milliseconds'];
}

/** The page that was read, and what is known of its total. */
export function boundedRows(
  { range, countLimit }: BoundedPage,
  { counted, rows, ...read }: BoundedFinding,
): BoundedRows {
  const whole = counted !== undefined && counted <= BigInt(countLimit) ? counted : undefined;
  return {
    ...read,
    rows: Math.min(rows, range.size),
    total: provenTotal(range, rows) ?? whole,
    hasNext: rows > range.size,
  };
}

/** The total, where the last record is on the page; undefined otherwise. */
function provenTotal({ size, offset }: BoundedPage['range'], rows: number): bigint | undefined {
  const isEnd = rows <= size && (rows > 0 || offset === 0n);
  return isEnd ? offset + BigInt(rows) : undefined;
}
