import { type RawBuilder, sql } from 'kysely';

import type { Model } from '../catalogue/model.ts';
import type { ListRows } from '../planning/list-rows.ts';

/** A name that no relation of the list has, in any case: a `with` hides the table of its name. */
export function freeName(
  wanted: string,
  { relations, models }: Pick<ListRows, 'relations' | 'models'>,
): RawBuilder<unknown> {
  const taken = new Set(relations.flat().map((name) => name.toLowerCase()));
  const texts = models.flatMap(textsOf).join(' ').toLowerCase();
  let name = wanted;
  while (taken.has(name) || texts.includes(name)) name += '_';
  return sql.id(name);
}

/** Of the operator, who may name any relation. */
function textsOf({ selection, columns }: Model): string[] {
  const computed = [...columns.values()].flatMap((column) => column.computed?.sql ?? []);
  return [...(selection === undefined ? [] : [selection.sql]), ...computed];
}
