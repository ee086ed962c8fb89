import { KeyOrderError } from '../errors/key-order-error.ts';
import type { Key } from '../options/list-query.ts';
import type { QueryFilter } from '../options/filter.ts';
import { type Filter, type ModelEntry, noKeyOf } from '@proj/contract';

/** By how many attributes a request may sort. */
const MOST_ATTRIBUTES = 5;

/** @throws {KeyOrderError} when the model cannot be walked by its key. */
export function walkableKey(model: ModelEntry): readonly string[] {
  const { name, key, attributes } = model;
  if (key.length === 0) {
    const { reason, remedy } = noKeyOf(model);
    throw new KeyOrderError(name, `${reason}. An operator can ${remedy}`);
  }
  if (key.length > MOST_ATTRIBUTES)
    throw new KeyOrderError(
      name,
      `its key has more than ${MOST_ATTRIBUTES} attributes, by how many a request may sort`,
    );
  for (const part of key) {
    const entry = attributes.find((attribute) => attribute.name === part);
    if (!entry) throw new KeyOrderError(name, `the token does not see "${part}" of its key`);
    if (!entry.sortable) throw new KeyOrderError(name, `"${part}" of its key cannot be sorted by`);
    const missing = ['gt', 'gte'].find((operator) => !entry.operators.includes(operator));
    if (missing)
      throw new KeyOrderError(name, `"${part}" of its key does not take the operator "${missing}"`);
  }
  return key;
}

export function keyOf(record: Readonly<Record<string, unknown>>, key: readonly string[]): Key {
  return Object.fromEntries(
    key.map((name) => {
      const value = record[name];
      return [name, typeof value === 'bigint' ? String(value) : value];
    }),
  );
}

/** @throws {TypeError} when the start lacks a value for an attribute of the key. */
export function readAfter(after: Key | null, key: readonly string[]): Key | null {
  if (after === null) return null;
  const missing = key.find((name) => after[name] === undefined || after[name] === null);
  if (missing === undefined) return keyOf(after, key);
  throw new TypeError(
    `after: expected a value for each attribute of the key (${key.join(', ')}); "${missing}" ` +
      'has none',
  );
}

/**
 * The records behind a key. For `(a, b)` behind `(1, 2)`:
 * `a >= 1 and (a > 1 or (a >= 1 and b > 2))`. Without `eq`, which compares texts exactly while the
 * order may not. The first term is redundant, but lets a database start from an index.
 */
export function behind(key: readonly string[], after: Key): QueryFilter {
  const compare = (op: 'gt' | 'gte', attribute: string): Filter => ({
    attribute,
    op,
    value: after[attribute],
  });
  const steps = key.map((attribute, index) => {
    const before = key.slice(0, index).map((name) => compare('gte', name));
    const step = compare('gt', attribute);
    return before.length === 0 ? step : { and: [...before, step] };
  });
  const [first] = key;
  if (first === undefined || steps.length === 1) return steps[0] ?? { and: [] };
  return { and: [compare('gte', first), { or: steps }] };
}
