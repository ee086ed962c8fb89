import type { Comparison, Condition } from '../../planning/condition.ts';

/** Joins without whose rows a condition is never true: rows without a match may go early. */
export function rejectedNulls(condition: Condition): ReadonlySet<number> {
  if ('and' in condition) return union(condition.and.map(rejectedNulls));
  if ('or' in condition) return intersection(condition.or.map(rejectedNulls));
  if ('not' in condition) return 'op' in condition.not ? ofLeaf(condition.not, true) : NONE;
  return 'op' in condition ? ofLeaf(condition, false) : NONE;
}

const NONE: ReadonlySet<number> = new Set();

function ofLeaf({ attribute: { join }, op, values }: Comparison, isNegated: boolean) {
  if (join === undefined || op === 'is_distinct') return NONE;
  const isTrueOfNull = op === 'is_null' && (values[0] === true) !== isNegated;
  return isTrueOfNull ? NONE : new Set([join]);
}

function union(sets: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  return new Set(sets.flatMap((set) => [...set]));
}

function intersection([first = NONE, ...others]: readonly ReadonlySet<number>[]) {
  return new Set([...first].filter((number) => others.every((set) => set.has(number))));
}
