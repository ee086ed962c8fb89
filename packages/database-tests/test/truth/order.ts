import type { Row, Value } from './models.ts';

/** One term of a sort, as a request says it. */
export interface SortTerm {
  readonly attribute: string;
  readonly direction?: 'asc' | 'desc' | undefined;
  readonly nulls?: 'first' | 'last' | undefined;
}

export type Comparison = (one: Row, other: Row) => number;

/**
 * The order of the terms, and where they leave ties, of the key. NULL is the largest value unless a
 * term says otherwise.
 */
export function orderBy(terms: readonly SortTerm[]): Comparison {
  const comparisons = terms.map(comparisonOf);
  return (one, other) => {
    for (const compare of comparisons) {
      const result = compare(one, other);
      if (result !== 0) return result;
    }
    return one.id - other.id;
  };
}

function comparisonOf({
  attribute,
  direction = 'asc',
  nulls = direction === 'asc' ? 'last' : 'first',
}: SortTerm): Comparison {
  const sign = direction === 'asc' ? 1 : -1;
  const nullSign = nulls === 'last' ? 1 : -1;
  return (one, other) => {
    const value = one[attribute] ?? null;
    const otherValue = other[attribute] ?? null;
    if (value === otherValue) return 0;
    if (value === null) return nullSign;
    if (otherValue === null) return -nullSign;
    return sign * compareValues(value, otherValue);
  };
}

/**
 * Of two values of one column. The texts are ASCII, whose order by code units is that of the bytes.
 */
export function compareValues(one: NonNullable<Value>, other: NonNullable<Value>): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
