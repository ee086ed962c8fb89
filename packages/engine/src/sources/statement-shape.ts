import { hash } from 'node:crypto';

import type { FacetStatements } from '../sql/facet-statements.ts';
import type { PageRange, QueryStatements, RowsStatement } from '../sql/query-statements.ts';
import type { BoundedPage, QueryPage } from './source.ts';

/**
 * The shape of statements that read a whole relation, however long it is: a count, a key check.
 */
export const WHOLE_RELATION = 'whole relation';

/** The shape of the statements that read a page with its total. */
export function pageShape({ query, range }: QueryPage): string {
  return shapeOf(`page ${query.rows.sql}`, range);
}

/** The shape of the statements that read a batch, which is as deep as the sum of its pages. */
export function batchShape(pages: readonly QueryPage[]): string {
  const range = {
    size: pages.reduce((sum, page) => sum + page.range.size, 0),
    offset: pages.reduce((sum, page) => sum + page.range.offset, 0n),
  };
  return shapeOf(`batch ${pages[0]?.query.rows.sql}`, range);
}

/**
 * The shape of the statements that read a page and count to a limit; those that count to limits in
 * the same power of ten are alike.
 */
export function boundedShape({ query, range, countLimit }: BoundedPage): string {
  return shapeOf(`bounded ${String(countLimit).length} ${query.rows.sql}`, range);
}

/** The shape of the statements that read facets, which read whole lists. */
export function facetsShape({ read }: FacetStatements): string {
  return `facets ${hash('sha256', read.sql, 'base64url').slice(0, 22)}`;
}

/** The shape of the statements that read a page of a followed relation without a count. */
export function followedShape({ query, range }: QueryPage): string {
  return shapeOf(`followed ${query.rows.sql}`, range);
}

/**
 * The shape of the statements that find the page of a record: where keys of the list are known few
 * rows are counted, else all that come before.
 */
export function recordShape({ rows }: QueryStatements, hasKeys: boolean): string {
  return shapeOf(`record ${hasKeys} ${rows.sql}`, { size: 0, offset: 0n });
}

/** The shape of the statement that reads the rows of a page alone. */
export function rowsShape({ statement, bindings }: RowsStatement): string {
  return shapeOf(`rows ${statement.sql}`, bindings);
}

/**
 * The shape of a statement. Its cost grows with the rows that it passes over, so pages in the same
 * power of two are alike.
 */
function shapeOf(sql: string, { size, offset }: PageRange): string {
  const depth = (offset + BigInt(size)).toString(2).length;
  return `${hash('sha256', sql, 'base64url').slice(0, 22)} ${depth}`;
}
