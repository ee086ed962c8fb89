import type { ModelError } from '../model-error.ts';
import type { NearKey, Relation } from '../relation.ts';
import { yamlText } from './yaml-text.ts';

/** What keeps a unique index from being a key, and what an operator does about it. */
const NEAR_KEYS = {
  children: {
    problem: 'Other tables inherit from the table, and its unique index does not cover their rows.',
    remedy: 'If its columns are unique over all of them, declare the key',
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
  unreadable: {
    problem: 'The columns of its unique key may not be read.',
    remedy: 'Grant the right to select them, or declare another key that is unique and never NULL',
  },
} as const satisfies Record<NearKey['why'], Pick<ModelError, 'problem' | 'remedy'>>;

/** Why a relation has no key that the database promises. The remedy ends with settings to paste. */
export function missingKey(model: string, { kind, nearKey }: Relation): ModelError {
  if (nearKey === undefined) {
    const problem =
      `The ${kind} has no unique key, so its rows have no total order ` +
      'and pages would repeat and lose rows.';
    const settings = keySettings(model, ['column']);
    const remedy = `Name columns that are unique together and never NULL: ${settings}`;
    return { path: [], problem, remedy };
  }
  const { problem, remedy } = NEAR_KEYS[nearKey.why];
  const columns = nearKey.why === 'unreadable' ? ['column'] : nearKey.columns;
  return { path: [], problem, remedy: `${remedy}: ${keySettings(model, columns)}` };
}

function keySettings(model: string, columns: readonly string[]): string {
  return `models: { ${yamlText(model)}: { key: [${columns.map(yamlText).join(', ')}] } }`;
}
