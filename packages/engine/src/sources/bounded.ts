import type { RowsStatement } from '../sql/query-statements.ts';
import { bind, type Statement, type Template } from '../sql/statement.ts';
import type { BoundedPage, BoundedRows, RowsRead } from './source.ts';

/** The statement of such a page: it reads one record more, which is only counted. */
export function boundedStatement(
  { query: { relation, fields, maxBytes, rows }, range: { size, offset }, countLimit }: BoundedPage,
  statement: Template = rows,
): RowsStatement {
  const bindings = { size: size + 1, offset, count: countLimit + 1 };
  return { relation, fields, maxBytes, statement, bindings, reversed: false, oneMore: true };
}

/** The statement that counts the list of such a page, to one more than its limit. */
export function boundedCount({ query: { count }, countLimit }: BoundedPage): Statement {
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
