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

export function joinedAs(rows: Expression, join: number): Expression {
  return sql`${rows} as ${sql.id(aliasOf(join))}`;
}

export function listedAs(rows: Expression): Expression {
  return sql`${rows} as ${sql.id(LISTED)}`;
}

function aliasOf(join: number | undefined): string {
  return join === undefined ? LISTED : `j${join}`;
}
