import { type Filter, FILTER_LIMITS } from '@proj/contract';

import { KeyOrderError } from '../errors/errors.ts';
import type { QueryFilter } from '../options/filter.ts';
import type { Key } from '../options/list-query.ts';

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

/** An `and` takes the conditions of another, as a filter may be nested only so deep. */
export function both(filter: QueryFilter, rest: QueryFilter): QueryFilter {
  if (!('and' in filter) || !Array.isArray(filter.and)) return { and: [filter, rest] };
  const added: readonly QueryFilter[] = 'and' in rest ? rest.and : [rest];
  return { ...filter, and: [...filter.and, ...added] };
}

/** @throws {KeyOrderError} before the first page, as every later one would be refused. */
export function checkSize(model: string, filter: QueryFilter, key: readonly string[]): void {
  const { depth, leaves } = FILTER_LIMITS;
  const size = sizeOf(both(filter, behind(key, {})));
  if (size.depth > depth || size.leaves > leaves)
    throw new KeyOrderError(
      model,
      `with the position in the list, its filter is ${size.depth} deep and has ${size.leaves} ` +
        `comparisons, of at most ${depth} and ${leaves}`,
    );
}

/** As the contract counts. */
function sizeOf(filter: object): { readonly depth: number; readonly leaves: number } {
  const isLeaf = 'attribute' in filter;
  const inner: object[] = Object.values(filter)
    .flat()
    .filter((one: unknown) => !isLeaf && typeof one === 'object' && one !== null);
  const sizes = inner.map(sizeOf);
  const own = isLeaf || 'related' in filter ? 1 : 0;
  return {
    // `{}` in a condition on related records is no filter.
    depth: Math.min(1, Object.keys(filter).length) + Math.max(0, ...sizes.map((one) => one.depth)),
    leaves: sizes.reduce((sum, { leaves }) => sum + leaves, own),
  };
}
