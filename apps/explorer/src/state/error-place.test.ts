import { describe, expect, it } from 'vitest';

import { errorPlace } from './error-place.ts';
import type { Condition } from './view-state.ts';

const condition: Condition = { attribute: 'a', operator: 'eq', operands: ['1'] };

describe('an error in a query of two conditions', () => {
  it.each([
    ['', { control: 'request' }],
    ['/query_model', { control: 'model' }],
    ['/query_attributes', { control: 'attributes' }],
    ['/query_attributes/3', { control: 'attributes' }],
    ['/page', { control: 'page' }],
    ['/page/page', { control: 'page' }],
    ['/page/size', { control: 'size' }],
    ['/query_sort', { control: 'sort' }],
    ['/query_sort/0/attribute', { control: 'sort' }],
    ['/query_filter', { control: 'conditions' }],
    ['/query_filter/and', { control: 'conditions' }],
    ['/query_filter/and/1', { control: 'condition', index: 1, operand: null }],
    ['/query_filter/or/1/attribute', { control: 'condition', index: 1, operand: null }],
    ['/query_filter/and/0/value', { control: 'condition', index: 0, operand: 0 }],
    ['/query_filter/and/1/value/4', { control: 'condition', index: 1, operand: 4 }],
    ['/unheard_of', { control: 'request' }],
  ])('at %s belongs to %j', (pointer, place) => {
    expect(errorPlace(pointer, { conditions: [condition, condition] })).toEqual(place);
  });
});

describe('an error in a query of one condition, which is the filter itself', () => {
  it.each([
    ['/query_filter', null],
    ['/query_filter/op', null],
    ['/query_filter/value', 0],
    ['/query_filter/value/1', 1],
  ])('at %s belongs to its operand %j', (pointer, operand) => {
    expect(errorPlace(pointer, { conditions: [condition] })).toEqual({
      control: 'condition',
      index: 0,
      operand,
    });
  });
});
