import { expect, it } from 'vitest';

import { COUNT } from './group-names.ts';
import { attributesOf, type Condition, conjunctsOf, leavesOf, type Referred } from './condition.ts';

const [a, b, c] = ['a', 'b', 'c'].map((column): Condition => ({
  attribute: { ...COUNT, column },
  op: 'eq',
  values: [1],
})) as [Condition, Condition, Condition];
const toOne = { key: [{ column: 'id' }, { column: 'part' }] };
const referred = { toOne, from: 2 } as unknown as Referred;
const either: Condition = { or: [b, { not: { and: [c] } }] };
const all: Condition = { and: [a, { and: [either] }, { referred }] };

it('a condition’s conjuncts are what all of its records meet', () => {
  expect(conjunctsOf(all)).toEqual([a, either, { referred }]);
  expect(conjunctsOf(a)).toEqual([a]);
  expect(conjunctsOf(undefined)).toEqual([]);
});

it('a condition’s leaves compare, or look for records that refer to a list’s', () => {
  expect(leavesOf(all)).toEqual([a, b, c, referred]);
  expect(leavesOf(undefined)).toEqual([]);
});

it('a condition reads what it compares, and the keys that others refer to', () => {
  expect(attributesOf(all).map(({ column, join }) => [column, join])).toEqual([
    ['a', undefined],
    ['b', undefined],
    ['c', undefined],
    ['id', 2],
    ['part', 2],
  ]);
});
