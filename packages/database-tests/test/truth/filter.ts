import type { Row, Value } from './models.ts';
import { compareValues } from './order.ts';

/** A filter, as a request says it. */
export type Filter =
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter }
  | Leaf;

export type Leaf = {
  readonly [Op in keyof typeof LEAVES]: {
    readonly attribute: string;
    readonly op: Op;
    readonly value: Parameters<(typeof LEAVES)[Op]>[1];
  };
}[keyof typeof LEAVES];

/** True, false, or neither: what SQL says of comparisons with NULL. */
type Truth = boolean | null;

type Present = NonNullable<Value>;

const unlessNull =
  <Operand>(holds: (value: Present, operand: Operand) => boolean) =>
  (value: Value, operand: Operand): Truth =>
    value === null ? null : holds(value, operand);

const LEAVES = {
  eq: unlessNull((value, other: Present) => value === other),
  ne: unlessNull((value, other: Present) => value !== other),
  lt: unlessNull((value, other: Present) => compareValues(value, other) < 0),
  gte: unlessNull((value, other: Present) => compareValues(value, other) >= 0),
  in: unlessNull((value, others: readonly Present[]) => others.includes(value)),
  between: unlessNull(
    (value, [from, to]: readonly [Present, Present]) =>
      compareValues(value, from) >= 0 && compareValues(value, to) <= 0,
  ),
  contains: unlessNull((value, part: string) => String(value).includes(part)),
  starts_with: unlessNull((value, part: string) => String(value).startsWith(part)),
  is_null: (value: Value, expected: boolean): Truth => (value === null) === expected,
  is_distinct: (value: Value, other: Value): Truth => value !== other,
};

/**
 * Whether a filter keeps a row: not where it is false, and not where it is neither true nor false.
 */
export function keeps(filter: Filter, row: Row): boolean {
  return truthOf(filter, row) === true;
}

function truthOf(filter: Filter, row: Row): Truth {
  if ('and' in filter) return decide(filter.and, row, false);
  if ('or' in filter) return decide(filter.or, row, true);
  if ('not' in filter) {
    const truth = truthOf(filter.not, row);
    return truth === null ? null : !truth;
  }
  return truthOfLeaf(filter, row[filter.attribute] ?? null);
}

/**
 * One part that has the deciding truth decides; else one that has none leaves the whole without.
 */
function decide(parts: readonly Filter[], row: Row, deciding: boolean): Truth {
  const truths = parts.map((part) => truthOf(part, row));
  if (truths.includes(deciding)) return deciding;
  return truths.includes(null) ? null : !deciding;
}

function truthOfLeaf(leaf: Leaf, value: Value): Truth {
  switch (leaf.op) {
    case 'eq':
    case 'ne':
    case 'lt':
    case 'gte':
      return LEAVES[leaf.op](value, leaf.value);
    case 'contains':
    case 'starts_with':
      return LEAVES[leaf.op](value, leaf.value);
    case 'in':
      return LEAVES.in(value, leaf.value);
    case 'between':
      return LEAVES.between(value, leaf.value);
    case 'is_null':
      return LEAVES.is_null(value, leaf.value);
    case 'is_distinct':
      return LEAVES.is_distinct(value, leaf.value);
  }
}
