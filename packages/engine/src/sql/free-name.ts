import { type RawBuilder, sql } from 'kysely';

import type { ListRows } from '../planning/list-rows.ts';

/** A name that no relation of the list has, in any case: a `with` hides the table of its name. */
export function freeName(
  wanted: string,
  { relations }: Pick<ListRows, 'relations'>,
): RawBuilder<unknown> {
  const taken = new Set(relations.flat().map((name) => name.toLowerCase()));
  let name = wanted;
  while (taken.has(name)) name += '_';
  return sql.id(name);
}
