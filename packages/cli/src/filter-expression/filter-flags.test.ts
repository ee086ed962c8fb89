import { type ModelEntry, operatorsOf, type WireType } from '@proj/contract';
import { expect, it } from 'vitest';

import { filterOf } from './filter-flags.ts';

const TYPES: Readonly<Record<string, WireType>> = {
  name: 'text',
  small: 'int32',
  population: 'int64',
  area: 'decimal',
  ratio: 'float64',
  capital: 'boolean',
  founded: 'date',
  tags: 'json',
};

const MODEL: ModelEntry = {
  name: 'cities',
  description: null,
  attributes: Object.entries(TYPES).map(([name, type]) => ({
    name,
    type,
    nullable: true,
    description: null,
    operators: operatorsOf(type),
    sortable: true,
  })),
  key: ['name'],
  default_sort: [],
  max_page_size: 100,
};

it('makes no filter where no flag is given', () => {
  expect(filterOf({}, MODEL)).toBeUndefined();
});

const equals = (value: number): object => ({ attribute: 'small', op: 'eq', value });

it('joins several filters, and the tree in JSON, without a further level', () => {
  const leaf = { attribute: 'small', op: 'is_null', value: true };
  const filter = filterOf(
    {
      filter: ['small = 1 and small = 2', 'small = 3 or small = 4'],
      filterJson: JSON.stringify(leaf),
    },
    MODEL,
  );
  expect(filter).toEqual({ and: [equals(1), equals(2), { or: [equals(3), equals(4)] }, leaf] });
});

it.each([
  ['nosuch = 1', 'column 1: cities has no attribute "nosuch". It has name, small'],
  ['small contains 1', 'column 1: small is of type int32 and takes =, !=, <'],
  ['tags = 1', 'tags is of type json and takes is null, has, has any, has all; not ='],
  ['small = 1.5', 'column 9: the attribute is of type int32: expected a whole number'],
  ['name = 1', 'column 8: the attribute is of type text: expected a text in quotes'],
  ['founded > 5', "such as '2026-01-31'"],
  ['capital = 1', 'expected true or false'],
])('refuses %s and says what is expected', (text, message) => {
  expect(() => filterOf({ filter: [text] }, MODEL)).toThrow(message);
});

it('puts the caret below the error, with wide letters as two cells and controls as shown', () => {
  const text = "name = '東京\t\u001b' and nosuch = 1";
  expect(() => filterOf({ filter: [text] }, MODEL)).toThrow(
    [
      '--filter: column 19: cities has no attribute "nosuch". It has name, small, ' +
        'population, area, ratio, capital, founded, tags.',
      String.raw`  name = '東京\t\u{1b}' and nosuch = 1`,
      `  ${' '.repeat(26)}^`,
    ].join('\n'),
  );
});

it('names the place of an error in a tree of JSON', () => {
  expect(() => filterOf({ filterJson: '{"and":[{"attribute":"small"}]}' }, MODEL)).toThrow(
    '/and/0/op: is required',
  );
  expect(() => filterOf({ filterJson: '{' }, MODEL)).toThrow('--filter-json: not a JSON text');
});

it('refuses a tree of JSON of which a part would be lost', () => {
  const filterJson = '{"and":[{"attribute":"small","op":"is_null","value":true}],"and":[]}';
  expect(() => filterOf({ filterJson }, MODEL)).toThrow(
    '--filter-json: A member is named "and" twice.',
  );
});

it('refuses a filter that is larger than the contract allows, before anything is sent', () => {
  const leaves = Array.from({ length: 51 }, (_, index) => `small = ${index}`).join(' or ');
  expect(() => filterOf({ filter: [leaves] }, MODEL)).toThrow('at most 50');
});
