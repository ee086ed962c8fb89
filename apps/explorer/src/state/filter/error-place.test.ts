import { describe, expect, it } from 'vitest';

import { errorPlace } from './error-place.ts';
import { allOf } from './filter-tree.ts';
import type { Condition, FilterGroup } from '../view-state.ts';

const condition: Condition = { attribute: 'a', operator: 'eq', operands: ['1'] };

describe('an error in a query of two conditions', () => {
  it.each([
    ['', { control: 'request' }],
    ['/query_model', { control: 'model' }],
    ['/query_attributes', { control: 'attributes' }],
    ['/query_attributes/3', { control: 'attributes' }],
    ['/query_related/0/filter/value', { control: 'attributes' }],
    ['/page', { control: 'page' }],
    ['/page/page', { control: 'page' }],
    ['/page/size', { control: 'size' }],
    ['/query_sort', { control: 'sort' }],
    ['/query_sort/0/attribute', { control: 'sort' }],
    ['/query_filter', { control: 'conditions' }],
    ['/query_filter/and', { control: 'conditions' }],
    ['/query_filter/and/1', { control: 'condition', path: [1], operand: null }],
    ['/query_filter/or/1/attribute', { control: 'condition', path: [1], operand: null }],
    ['/query_filter/and/0/value', { control: 'condition', path: [0], operand: 0 }],
    ['/query_filter/and/1/value/4', { control: 'condition', path: [1], operand: 4 }],
    ['/query_facets/0/query_filter/value', { control: 'conditions' }],
    ['/query_facets/0/bins', { control: 'request' }],
    ['/unheard_of', { control: 'request' }],
  ])('at %s belongs to %j', (pointer, place) => {
    expect(errorPlace(pointer, { filter: allOf(condition, condition), search: '' })).toEqual(place);
  });
});

describe('an error in a query of one condition, which is the filter itself', () => {
  it.each([
    ['/query_filter', null],
    ['/query_filter/op', null],
    ['/query_filter/value', 0],
    ['/query_filter/value/1', 1],
  ])('at %s belongs to its operand %j', (pointer, operand) => {
    expect(errorPlace(pointer, { filter: allOf(condition), search: '' })).toEqual({
      control: 'condition',
      path: [0],
      operand,
    });
  });
});

describe('an error in a query of groups', () => {
  const filter: FilterGroup = {
    match: 'none',
    parts: [
      condition,
      { match: 'not_all', parts: [condition, { match: 'any', parts: [condition] }] },
    ],
  };

  it.each([
    ['/query_filter/not/or/0/value', [0], 0],
    ['/query_filter/not/or/1/not/and/0/attribute', [1, 0], null],
    ['/query_filter/not/or/1/not/and/1/value/2', [1, 1, 0], 2],
  ])('at %s belongs to the condition at %j', (pointer, path, operand) => {
    expect(errorPlace(pointer, { filter, search: '' })).toEqual({
      control: 'condition',
      path,
      operand,
    });
  });

  it('belongs to the conditions where it is about a group', () => {
    expect(errorPlace('/query_filter/not/or/1/not/and', { filter, search: '' })).toEqual({
      control: 'conditions',
    });
  });
});

describe('an error in a query with a search', () => {
  const any: FilterGroup = { match: 'any', parts: [condition, condition] };

  it.each([
    [allOf(), '/query_filter/or/3/value', { control: 'search' }],
    [allOf(condition), '/query_filter/and/1/or', { control: 'search' }],
    [
      allOf(condition),
      '/query_filter/and/0/value',
      { control: 'condition', path: [0], operand: 0 },
    ],
    [any, '/query_filter/and/0/or/1/op', { control: 'condition', path: [1], operand: null }],
    [any, '/query_filter/and/1/or/0', { control: 'search' }],
    [any, '/query_filter/and/7', { control: 'conditions' }],
  ] as const)('of %j at %s belongs to %j', (filter, pointer, place) => {
    expect(errorPlace(pointer, { filter, search: 'x' })).toEqual(place);
  });
});
