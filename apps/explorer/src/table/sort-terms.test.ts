import { expect, it } from 'vitest';

import type { SortTerm } from '../state/view-state.ts';
import { alsoSortedBy, sortedBy, withNulls } from './sort-terms.ts';

const sort: readonly SortTerm[] = [
  { attribute: 'a', direction: 'asc', nulls: 'first' },
  { attribute: 'b', direction: 'desc' },
];

it('sorts by one attribute alone, and keeps where its NULL goes', () => {
  expect(sortedBy(sort, 'a', 'desc')).toEqual([
    { attribute: 'a', direction: 'desc', nulls: 'first' },
  ]);
  expect(sortedBy(sort, 'c', 'asc')).toEqual([{ attribute: 'c', direction: 'asc' }]);
});

it('adds an attribute to the order, or turns it where it is', () => {
  expect(alsoSortedBy(sort, 'c', 'asc')).toEqual([...sort, { attribute: 'c', direction: 'asc' }]);
  expect(alsoSortedBy(sort, 'b', 'asc')).toEqual([sort[0], { attribute: 'b', direction: 'asc' }]);
});

it('puts NULL first or last, or where the service puts it', () => {
  expect(withNulls(sort, 'b', 'last')[1]).toEqual({ ...sort[1], nulls: 'last' });
  expect(withNulls(sort, 'a', undefined)[0]).toEqual({ attribute: 'a', direction: 'asc' });
});
