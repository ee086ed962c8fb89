import type { PageRange, QueryStatements, RowsStatement } from './query-statements.ts';

/**
 * The way to a page from that end of the list which is nearer; undefined for a page past the end.
 */
export function fromNearerEnd(
  {
    rows,
    reversed,
    fields,
    maxBytes,
  }: Pick<QueryStatements, 'rows' | 'reversed' | 'fields' | 'maxBytes'>,
  { size, offset }: PageRange,
  total: bigint,
): RowsStatement | undefined {
  if (offset >= total) return undefined;
  const end = offset + BigInt(size) < total ? offset + BigInt(size) : total;
  const after = total - end;
  return reversed !== undefined && after < offset
    ? {
        statement: reversed,
        bindings: { size: Number(end - offset), offset: after },
        fields,
        reversed: true,
        maxBytes,
      }
    : { statement: rows, bindings: { size, offset }, fields, reversed: false, maxBytes };
}
