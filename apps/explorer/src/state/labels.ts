import type { AttributeEntry, ModelEntry } from '@proj/client';
import { type LinkedModel, RELATION_LIMITS } from '@proj/contract';

import { relatedModels } from './related-models.ts';

/** By which text people know a record where its model does not say: the first that it has. */
const USUAL = ['name', 'title', 'label', 'full_name', 'display_name', 'username', 'email', 'code'];

/** By which attribute people know a record of a model; undefined where by nothing but its key. */
export function labelOf({ label, attributes, key }: ModelEntry): AttributeEntry | undefined {
  const declared = attributes.find(({ name }) => name === label);
  if (declared !== undefined) return declared;
  return USUAL.flatMap((usual) =>
    attributes.filter(({ name, type }) => name === usual && type === 'text' && !key.includes(name)),
  )[0];
}

/**
 * The labels of the records to which columns refer, as paths, by the name of the column. A request
 * may look along few paths, so that columns which are paths themselves leave room for fewer.
 *
 * @param taken how many relations it counts along
 */
export function labelsOf(
  columns: readonly string[],
  model: LinkedModel,
  taken = 0,
): ReadonlyMap<string, AttributeEntry> {
  const own = new Set(model.attributes.map(({ name }) => name));
  const paths = columns.filter((name) => !own.has(name));
  const room = RELATION_LIMITS.paths - paths.length - taken;
  const found = relatedModels(model).flatMap(({ relation, attributes, model: target }) => {
    const [column] = attributes;
    const label = labelOf(target);
    if (column === undefined || attributes.length > 1 || label === undefined) return [];
    if (!columns.includes(column)) return [];
    return [[column, { ...label, name: `${relation}.${label.name}` }] as const];
  });
  return new Map(found.slice(0, Math.max(0, room)));
}
