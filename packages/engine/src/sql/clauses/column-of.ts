import { type RawBuilder, sql } from 'kysely';

/** The alias of the relation whose rows are listed. */
const LISTED = 't';

/** The column of a field, as every statement of a list names it. */
export function columnOf({
  column,
  join,
}: {
  readonly column: string;
  readonly join?: number;
}): RawBuilder<unknown> {
  return sql.id(aliasOf(join), column);
}

/** Rows under the alias by which {@link columnOf} finds the columns of a join. */
export function joinedAs(rows: RawBuilder<unknown>, join: number): RawBuilder<unknown> {
  return sql`${rows} as ${sql.id(aliasOf(join))}`;
}

/** Rows under the alias by which {@link columnOf} finds their columns. */
export function listedAs(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${rows} as ${sql.id(LISTED)}`;
}

function aliasOf(join: number | undefined): string {
  return join === undefined ? LISTED : `j${join}`;
}
