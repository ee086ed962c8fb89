import { expect, it } from 'vitest';

import { attributeOf } from '../cities-model.test-data.ts';
import { type Condition, FIRST_VIEW } from '../view-state.ts';
import { withOnly, withoutValue } from './cell-conditions.ts';
import { allOf } from './filter-tree.ts';

const name = attributeOf('name', 'text');
const is = (operator: Condition['operator'], ...operands: string[]): Condition => {
  return { attribute: 'name', operator, operands };
};
const { filter: ALL } = FIRST_VIEW;

it('only the value of a cell takes the place of other values that were chosen', () => {
  const filter = allOf(is('in', 'Bern', 'Basel'), is('icontains', 'b'));
  expect(withOnly(filter, { attribute: name, value: 'Bern' })).toEqual(
    allOf(is('icontains', 'b'), is('eq', 'Bern')),
  );
  expect(withOnly(filter, { attribute: name, value: null })).toEqual(
    allOf(is('icontains', 'b'), is('is_null')),
  );
});

it('not the value of a cell keeps NULL, and is added for each value', () => {
  const once = withoutValue(ALL, { attribute: name, value: 'Bern' });
  expect(once).toEqual(allOf(is('is_distinct', 'Bern')));
  expect(withoutValue(once ?? ALL, { attribute: name, value: '' })).toEqual(
    allOf(is('is_distinct', 'Bern'), is('is_distinct', '')),
  );
  expect(withoutValue(ALL, { attribute: name, value: null })).toEqual(allOf(is('not_null')));
});

it('a filter that is no list of conditions holds beside the value of a cell', () => {
  const any = { match: 'any', parts: [is('eq', 'Bern'), is('is_null')] } as const;
  expect(withOnly(any, { attribute: name, value: 'Basel' })).toEqual({
    match: 'all',
    parts: [any, is('eq', 'Basel')],
  });
});

it('the value of a cell is no condition where its type is not compared', () => {
  const attribute = attributeOf('extra', 'json');
  expect(withOnly(ALL, { attribute, value: '{}' })).toBeUndefined();
  expect(withoutValue(ALL, { attribute, value: '{}' })).toBeUndefined();
  expect(withOnly(ALL, { attribute, value: null })?.parts).toHaveLength(1);
  expect(withOnly(ALL, { attribute: { name: 'x', operators: [] }, value: null })).toBeUndefined();
});
