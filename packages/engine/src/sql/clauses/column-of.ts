import { type RawBuilder, sql } from 'kysely';

/** The alias of the relation whose rows are listed. */
const LISTED = 't';

/** The column of a field, as every statement of a list names it. */
export function columnOf({ column }: { readonly column: string }): RawBuilder<unknown> {
  return sql.id(LISTED, column);
}

/** Rows under the alias by which {@link columnOf} finds their columns. */
export function listedAs(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${rows} as ${sql.id(LISTED)}`;
}
