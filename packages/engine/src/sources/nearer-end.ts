import type { ListStatements, RowsStatement, Window } from './source.ts';

/**
 * The way to a page from that end of the list which is nearer; undefined for a page past the end.
 */
export function fromNearerEnd(
  {
    rows,
    reversed,
    fields,
    maxBytes,
  }: Pick<ListStatements, 'rows' | 'reversed' | 'fields' | 'maxBytes'>,
  { size, offset }: Window,
  total: bigint,
): RowsStatement | undefined {
  if (offset >= total) return undefined;
  const end = offset + BigInt(size) < total ? offset + BigInt(size) : total;
  const after = total - end;
  return reversed !== undefined && after < offset
    ? {
        statement: reversed,
        filling: { size: Number(end - offset), offset: after },
        fields,
        reversed: true,
        maxBytes,
      }
    : { statement: rows, filling: { size, offset }, fields, reversed: false, maxBytes };
}
