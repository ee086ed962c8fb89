import type { AttributeEntry } from '@proj/client';
import { type LinkedModel, RELATION_LIMITS } from '@proj/contract';

import { relatedModels } from './related-models.ts';

/** By which attribute people know a record: the first of these that its model has. */
const LABELS = ['name', 'title', 'label', 'full_name', 'display_name', 'username', 'email'];

/**
 * The labels of the records to which columns refer, as paths, by the name of the column. A request
 * may look along few paths, so that columns which are paths themselves leave room for fewer.
 */
export function labelsOf(
  columns: readonly string[],
  model: LinkedModel,
): ReadonlyMap<string, AttributeEntry> {
  const own = new Set(model.attributes.map(({ name }) => name));
  const room = RELATION_LIMITS.paths - columns.filter((name) => !own.has(name)).length;
  const found = relatedModels(model).flatMap(({ relation, attributes, model: target }) => {
    const [column] = attributes;
    const label = LABELS.flatMap((name) => target.attributes.filter((one) => one.name === name))[0];
    if (column === undefined || attributes.length > 1 || label?.type !== 'text') return [];
    if (!columns.includes(column)) return [];
    return [[column, { ...label, name: `${relation}.${label.name}` }] as const];
  });
  return new Map(found.slice(0, Math.max(0, room)));
}
