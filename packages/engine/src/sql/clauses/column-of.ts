import { sql } from 'kysely';
import type { Expression } from '../statement.ts';

const LISTED = 't';

export function columnOf({
  column,
  join,
}: {
  readonly column: string;
  readonly join?: number;
}): Expression {
  return sql.id(aliasOf(join), column);
}

/**
 * What names of outputs begin with, so that none is that of a column of the order: where rows are
 * of a selection, MySQL takes the `"t"."c0"` of an order for the output `c0`, whatever that shows.
 */
export function outputsBeside(
  beginning: string,
  order: readonly { readonly column: string }[],
): string {
  const own = new RegExp(String.raw`^${beginning}\d+$`, 'i');
  const isTaken = order.some(({ column }) => own.test(column));
  return isTaken ? outputsBeside(`${beginning}_`, order) : beginning;
}

export function joinedAs(rows: Expression, join: number): Expression {
  return sql`${rows} as ${sql.id(aliasOf(join))}`;
}

export function listedAs(rows: Expression): Expression {
  return sql`${rows} as ${sql.id(LISTED)}`;
}

function aliasOf(join: number | undefined): string {
  return join === undefined ? LISTED : `j${join}`;
}
