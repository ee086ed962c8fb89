import { expect, it } from 'vitest';

import { queryOf } from '../../test/page-questions.ts';
import { pageQuestion } from './reader.ts';

const FIRST = { size: 10, offset: 0n };

it('the question for a page has its query and its range', () => {
  const query = queryOf();
  expect(pageQuestion(query, FIRST)).toMatchObject({ query, range: FIRST });
});

it.each([
  { what: 'another list', list: 'other', range: FIRST },
  { what: 'another offset', list: 'list', range: { size: 10, offset: 10n } },
  { what: 'another size', list: 'list', range: { size: 20, offset: 0n } },
])('questions for pages have equal keys, and another key for $what', ({ list, range }) => {
  const { key } = pageQuestion(queryOf(), FIRST);
  expect(pageQuestion(queryOf(), FIRST).key).toBe(key);
  expect(pageQuestion(queryOf({ list }), range).key).not.toBe(key);
});

it('questions for one page have other keys for other parts of the total', () => {
  const limits = [undefined, 0, 1, 10];
  const keys = limits.map((limit) => pageQuestion(queryOf(), FIRST, limit).key);
  expect(new Set(keys).size).toBe(limits.length);
});
