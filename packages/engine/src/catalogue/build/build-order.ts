import { nameText, nameTexts, SORTABLE_TYPES } from '@proj/contract';

import { missingKey } from './missing-key.ts';
import { type Attribute, attributeTerm, type OrderTerm } from '../model.ts';
import type { ModelError, ModelSettings } from '../model-settings.ts';
import type { KeyCandidate, Relation } from '../relation.ts';

/** As declared by the settings or promised by the database. */
export function buildKey(
  { name, key }: { readonly name: string; readonly key: ModelSettings['key'] },
  relation: Relation,
  errors: ModelError[],
): readonly OrderTerm[] {
  if (key !== undefined) return declaredKey(key, relation, errors);
  const [known] = relation.keys;
  if (known !== undefined) return known.map(keyTerm);
  errors.push(missingKey(name, relation));
  return [];
}

function declaredKey(
  names: readonly string[],
  relation: Relation,
  errors: ModelError[],
): readonly OrderTerm[] {
  const columns = relation.columns.map((column) => column.name);
  const unknown = names.filter((name) => !columns.includes(name));
  if (names.length === 0)
    errors.push({
      path: ['key'],
      problem: 'key names no column.',
      remedy: 'Name one, or leave key out.',
    });
  if (unknown.length > 0)
    errors.push({
      path: ['key'],
      problem:
        `key names columns that ${nameText(relation.name)} does not have: ` +
        `${nameTexts(unknown)}.`,
      remedy: `It has: ${nameTexts(columns)}.`,
    });
  return names.map((column) => keyTerm({ column }));
}

function keyTerm(part: KeyCandidate[number]): OrderTerm {
  return { ...part, direction: 'asc', nulls: 'last', nullable: false };
}

/** For requests without a sort, before the key. */
export function buildDefaultOrder(
  { defaultSort = [] }: ModelSettings,
  attributes: ReadonlyMap<string, Attribute>,
  errors: ModelError[],
): OrderTerm[] {
  return defaultSort.flatMap(({ attribute: name, direction, nulls }, index) => {
    const attribute = attributes.get(name);
    if (attribute !== undefined && SORTABLE_TYPES.has(attribute.type))
      return [attributeTerm(attribute, direction, nulls)];
    errors.push({
      path: ['defaultSort', String(index), 'attribute'],
      problem: `The model has no attribute named "${name}" that it could be sorted by.`,
      remedy: `It has: ${nameTexts(sortableNames(attributes))}.`,
    });
    return [];
  });
}

function sortableNames(attributes: ReadonlyMap<string, Attribute>): string[] {
  return [...attributes.values()].flatMap(({ name, type }) =>
    SORTABLE_TYPES.has(type) ? [name] : [],
  );
}
