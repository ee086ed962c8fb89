import { nameText, nameTexts, SORTABLE_TYPES } from '@proj/contract';

import { type Attribute, attributeTerm, type OrderTerm } from '../model.ts';
import type { ModelError, ModelSettings } from '../model-settings.ts';
import type { KeyCandidate, Relation, NearKey } from '../relation.ts';

export function buildKey(
  { name, key }: { readonly name: string; readonly key: ModelSettings['key'] },
  relation: Relation,
  errors: ModelError[],
): readonly OrderTerm[] {
  if (key !== undefined) return declaredKey(key, relation, errors);
  const [known] = relation.keys;
  if (known !== undefined) return known.map(keyTerm);
  const { problem, remedy, columns } = whyNoKey(relation);
  const settings = `models: { ${yamlText(name)}: { key: [${columns.map(yamlText).join(', ')}] } }`;
  errors.push({ path: [], problem, remedy: `${remedy}: ${settings}` });
  return [];
}

function declaredKey(names: readonly string[], relation: Relation, errors: ModelError[]) {
  const columns = relation.columns.map((column) => column.name);
  const unknown = names.filter((name) => !columns.includes(name));
  const refuse = (problem: string, remedy: string): unknown =>
    errors.push({ path: ['key'], problem, remedy });
  if (names.length === 0) refuse('key names no column.', 'Name one, or leave key out.');
  const lacking = `key names columns that ${nameText(relation.name)} does not have: `;
  if (unknown.length > 0)
    refuse(`${lacking}${nameTexts(unknown)}.`, `It has: ${nameTexts(columns)}.`);
  return names.map((column) => keyTerm({ column }));
}

function keyTerm(part: KeyCandidate[number]): OrderTerm {
  return { ...part, direction: 'asc', nulls: 'last', nullable: false };
}

export function buildDefaultOrder(
  { defaultSort = [] }: ModelSettings,
  attributes: ReadonlyMap<string, Attribute>,
  errors: ModelError[],
): OrderTerm[] {
  const sortable = [...attributes.values()].filter(({ type }) => SORTABLE_TYPES.has(type));
  return defaultSort.flatMap(({ attribute: name, direction, nulls }, index) => {
    const attribute = attributes.get(name);
    if (attribute !== undefined && sortable.includes(attribute))
      return [attributeTerm(attribute, direction, nulls)];
    errors.push({
      path: ['defaultSort', String(index), 'attribute'],
      problem: `The model has no attribute named "${name}" that it could be sorted by.`,
      remedy: `It has: ${nameTexts(sortable.map((one) => one.name))}.`,
    });
    return [];
  });
}

const EXPLAINED = {
  children: {
    problem: 'Other tables inherit from the table, and its unique index does not cover their rows.',
    remedy: 'If its columns are unique over all of them, declare the key',
  },
  expression: {
    problem: 'Its unique index is over an expression, which is no column.',
    remedy: 'Name columns that are unique together and never NULL',
  },
  materialised: {
    problem:
      'Nobody promises that the columns of the unique index of a materialised view are not NULL.',
    remedy: 'If none of them is NULL, declare the key',
  },
  nullable: {
    problem: 'The columns of its unique index may be NULL, and so many rows may have the same.',
    remedy: 'Make them not null in the database, or declare the key if none of them is NULL',
  },
  prefix: {
    problem: 'Its unique index is over the beginning of a column, and does not sort whole values.',
    remedy: 'If none of its columns is NULL, declare the key',
  },
  unbounded: {
    problem:
      'Its unique index is over a whole text or blob column, of which the server sorts the first ' +
      '8,192 bytes alone.',
    remedy: 'If these differ in all rows and none of its columns is NULL, declare the key',
  },
  unreadable: {
    problem: 'The columns of its unique key may not be read.',
    remedy: 'Grant the right to select them, or declare another key that is unique and never NULL',
  },
} as const satisfies Record<NearKey['why'], Pick<ModelError, 'problem' | 'remedy'>>;

/** The remedy ends before settings that name the columns. */
export function whyNoKey({ kind, nearKey }: Pick<Relation, 'kind' | 'nearKey'>) {
  if (nearKey === undefined) {
    const problem =
      `The ${kind} has no unique key, so its rows have no total order ` +
      'and pages would repeat and lose rows.';
    const remedy = 'Name columns that are unique together and never NULL';
    return { problem, remedy, columns: ['column'] };
  }
  const { why, columns } = nearKey;
  const areKnown = why !== 'expression' && why !== 'unreadable';
  return { ...EXPLAINED[why], columns: areKnown ? columns : ['column'] };
}

/** Plain where YAML reads the same text, else JSON, which is YAML too. */
export function yamlText(text: string): string {
  return /^[a-z_][\w-]*$/i.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
