import { hash } from 'node:crypto';

import type { PageRange, QueryStatements } from '../sql/query-statements.ts';

/** Reads a whole relation, however long: a count, a key check. */
export const WHOLE_RELATION = 'whole relation';

/** With known keys few rows are counted, else all before the record. */
export function recordShape({ rows }: QueryStatements, hasKeys: boolean): string {
  return shapeOf(`record ${hasKeys} ${rows.sql}`, { size: 0, offset: 0n });
}

/** Cost grows with the rows passed over: pages within one power of two share a shape. */
export function shapeOf(sql: string, { size, offset }: PageRange): string {
  const depth = (offset + BigInt(size)).toString(2).length;
  return `${hash('sha256', sql, 'base64url').slice(0, 22)} ${depth}`;
}
