import { expect, it } from 'vitest';

import { readSort } from './read-list.ts';

it.each([
  ['population desc', { attribute: 'population', direction: 'desc' }],
  ['-population', { attribute: 'population', direction: 'desc' }],
  ['country.name', { attribute: 'country.name', direction: 'asc' }],
  ['name ASC nulls first', { attribute: 'name', direction: 'asc', nulls: 'first' }],
  ['-name  nulls   first', { attribute: 'name', direction: 'desc', nulls: 'first' }],
  ['asc desc', { attribute: 'asc', direction: 'desc' }],
  ['nulls first', { attribute: 'nulls first', direction: 'asc' }],
  ['unit price NULLS LAST', { attribute: 'unit price', direction: 'asc', nulls: 'last' }],
])('reads %s', (text, term) => {
  expect(readSort([text])).toEqual([term]);
});

it.each([' ', '-', '- desc'])(
  'refuses the empty term "%s" and shows what one looks like',
  (text) => {
    expect(() => readSort([text])).toThrow(
      `expected terms such as "population desc"; got "${text}"`,
    );
  },
);

// In steps that grow with the square of its length, each would take many minutes.
it.each([
  ['blanks', `a${' '.repeat(2 ** 20)}x`],
  ['places of nulls', `${'a nulls '.repeat(2 ** 17)}x`],
  ['blanks behind nulls', `a nulls${' '.repeat(2 ** 20)}x`],
  ['directions', `${'a desc '.repeat(2 ** 17)}x`],
])('reads a long term in a time that grows with its length: %s', (_what, text) => {
  expect(readSort([text])).toEqual([{ attribute: text, direction: 'asc' }]);
});
