import { type RawBuilder, sql } from 'kysely';

const LISTED = 't';

export function columnOf({
  column,
  join,
}: {
  readonly column: string;
  readonly join?: number;
}): RawBuilder<unknown> {
  return sql.id(aliasOf(join), column);
}

export function joinedAs(rows: RawBuilder<unknown>, join: number): RawBuilder<unknown> {
  return sql`${rows} as ${sql.id(aliasOf(join))}`;
}

export function listedAs(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${rows} as ${sql.id(LISTED)}`;
}

function aliasOf(join: number | undefined): string {
  return join === undefined ? LISTED : `j${join}`;
}
