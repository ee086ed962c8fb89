import { hash } from 'node:crypto';

import type { PageRange, QueryStatements } from '../sql/query-statements.ts';

/**
 * The shape of statements that read a whole relation, however long it is: a count, a key check.
 */
export const WHOLE_RELATION = 'whole relation';

/** A page of a followed relation. */
interface FollowedPage {
  readonly query: QueryStatements;
  readonly range: PageRange;
}

/** The shape of the statements that read a page of a followed relation without a count. */
export function followedShape({ query, range }: FollowedPage): string {
  return shapeOf(`followed ${query.rows.sql}`, range);
}

/**
 * The shape of the statements that find the page of a record: where keys of the list are known few
 * rows are counted, else all that come before.
 */
export function recordShape({ rows }: QueryStatements, hasKeys: boolean): string {
  return shapeOf(`record ${hasKeys} ${rows.sql}`, { size: 0, offset: 0n });
}

/**
 * The shape of a statement. Its cost grows with the rows that it passes over, so pages in the same
 * power of two are alike.
 */
export function shapeOf(sql: string, { size, offset }: PageRange): string {
  const depth = (offset + BigInt(size)).toString(2).length;
  return `${hash('sha256', sql, 'base64url').slice(0, 22)} ${depth}`;
}
