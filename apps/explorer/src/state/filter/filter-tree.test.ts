import { expect, it } from 'vitest';

import { allOf, conditionCount, withAlso, withoutEmptyGroups, withPart } from './filter-tree.ts';
import type { Condition, FilterGroup } from '../view-state.ts';

const [a, b, c] = ['a', 'b', 'c'].map((attribute): Condition => {
  return { attribute, operator: 'is_null', operands: [] };
}) as [Condition, Condition, Condition];
const inner: FilterGroup = { match: 'any', parts: [b, c] };
const filter: FilterGroup = { match: 'all', parts: [a, inner] };

it('counts the conditions of all groups', () => {
  expect(conditionCount(filter)).toBe(3);
});

it('changes, adds and removes a part at any depth', () => {
  expect(withPart(filter, [1, 0], a).parts[1]).toEqual({ match: 'any', parts: [a, c] });
  expect(withPart(filter, [1, 2], a).parts[1]).toEqual({ match: 'any', parts: [b, c, a] });
  expect(withPart(filter, [0], null)).toEqual({ match: 'all', parts: [inner] });
});

it('adds conditions that must hold too, whatever the filter is', () => {
  expect(withAlso(allOf(), [a])).toEqual(allOf(a));
  expect(withAlso(filter, [b])).toEqual({ match: 'all', parts: [a, inner, b] });
  expect(withAlso(inner, [a])).toEqual({ match: 'all', parts: [inner, a] });
});

it('leaves out groups that have no condition', () => {
  const empty: FilterGroup = { match: 'any', parts: [{ match: 'none', parts: [] }] };
  expect(withoutEmptyGroups({ match: 'all', parts: [empty, a] })).toEqual(allOf(a));
});
