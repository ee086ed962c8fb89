import type { PageRange, QueryStatements, RowsStatement } from './query-statements.ts';

/**
 * The access path to a page from that end of its list which is nearer; undefined for a page past
 * the end.
 */
export function fromNearerEnd(
  statements: Pick<QueryStatements, 'rows' | 'reversed' | 'fields' | 'maxBytes'>,
  { size, offset }: PageRange,
  total: bigint,
): RowsStatement | undefined {
  if (offset >= total) return undefined;
  const { rows, reversed, fields, maxBytes } = statements;
  const end = offset + BigInt(size) < total ? offset + BigInt(size) : total;
  const after = total - end;
  if (reversed === undefined || after >= offset)
    return { statement: rows, bindings: { size, offset }, fields, reversed: false, maxBytes };
  const bindings = { size: Number(end - offset), offset: after };
  return { statement: reversed, bindings, fields, reversed: true, maxBytes };
}
