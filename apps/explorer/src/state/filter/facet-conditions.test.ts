import { describe, expect, it } from 'vitest';

import {
  choosesNull,
  choosesRange,
  chosenValues,
  withNullToggled,
  withoutFacet,
  withRangeToggled,
  withValueToggled,
} from './facet-conditions.ts';
import { allOf } from './filter-tree.ts';
import type { Condition, FilterGroup } from '../view-state.ts';

const is = (operator: Condition['operator'], ...operands: string[]): Condition => {
  return { attribute: 'a', operator, operands };
};
const other: Condition = { attribute: 'b', operator: 'eq', operands: ['1'] };

describe('the facet of an attribute', () => {
  it('chooses values one by one, and gives them back', () => {
    const one = withValueToggled(allOf(other), 'a', 'x');
    expect(one).toEqual(allOf(other, is('eq', 'x')));
    const two = withValueToggled(one, 'a', 'y');
    expect(two).toEqual(allOf(other, is('in', 'x', 'y')));
    expect(chosenValues(two, 'a')).toEqual(['x', 'y']);
    expect(withValueToggled(withValueToggled(two, 'a', 'x'), 'a', 'y')).toEqual(allOf(other));
  });

  it('chooses a range in place of another', () => {
    const low = { from: '1', to: '5', isLast: false };
    const high = { from: '5', to: '9', isLast: true };
    const first = withRangeToggled(allOf(other), 'a', low);
    expect(first).toEqual(allOf(other, is('gte', '1'), is('lt', '5')));
    expect(choosesRange(first, 'a', low)).toBe(true);
    const second = withRangeToggled(first, 'a', high);
    expect(second).toEqual(allOf(other, is('gte', '5'), is('lte', '9')));
    expect(withRangeToggled(second, 'a', high)).toEqual(allOf(other));
  });

  it('chooses the records without a value in place of values', () => {
    const none = withNullToggled(allOf(other, is('in', 'x', 'y')), 'a');
    expect(none).toEqual(allOf(other, is('is_null')));
    expect(choosesNull(none, 'a')).toBe(true);
    expect(withNullToggled(none, 'a')).toEqual(allOf(other));
  });

  it('leaves alone what it did not set: groups, other operators, and filters of any match', () => {
    const group: FilterGroup = { match: 'any', parts: [is('eq', 'x'), other] };
    const filter: FilterGroup = { match: 'all', parts: [group, is('ne', 'z'), is('eq', 'y')] };
    expect(withoutFacet(filter, 'a', 'values').parts).toEqual([group, is('ne', 'z')]);
    expect(withoutFacet(group, 'a', 'values')).toBe(group);
    expect(withValueToggled(group, 'a', 'q')).toEqual({
      match: 'all',
      parts: [group, is('eq', 'q')],
    });
  });
});
