import { expect, it } from 'vitest';

import { readSort } from './read-list.ts';

it.each([
  ['population desc', { attribute: 'population', direction: 'desc' }],
  ['-population', { attribute: 'population', direction: 'desc' }],
  ['country.name', { attribute: 'country.name', direction: 'asc' }],
  ['name ASC nulls first', { attribute: 'name', direction: 'asc', nulls: 'first' }],
  ['unit price NULLS LAST', { attribute: 'unit price', direction: 'asc', nulls: 'last' }],
])('reads %s', (text, term) => {
  expect(readSort([text])).toEqual([term]);
});

it('refuses an empty term and shows what one looks like', () => {
  expect(() => readSort([' '])).toThrow('expected terms such as "population desc"; got " "');
});
