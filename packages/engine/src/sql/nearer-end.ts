import type { PageRange, QueryStatements, RowsStatement } from './query-statements.ts';

export function fromNearerEnd(
  statements: Pick<QueryStatements, 'relations' | 'rows' | 'reversed' | 'fields' | 'maxBytes'>,
  { size, offset }: PageRange,
  total: bigint,
): RowsStatement | undefined {
  if (offset >= total) return undefined;
  const { relations, rows, reversed, fields, maxBytes } = statements;
  const read = { relations, fields, maxBytes };
  const end = offset + BigInt(size) < total ? offset + BigInt(size) : total;
  const after = total - end;
  if (reversed === undefined || after >= offset)
    return { ...read, statement: rows, bindings: { size, offset }, reversed: false };
  const bindings = { size: Number(end - offset), offset: after };
  return { ...read, statement: reversed, bindings, reversed: true };
}
