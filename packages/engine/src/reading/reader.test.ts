import { expect, it } from 'vitest';

import { queryOf } from '../../test/page-questions.ts';
import type { Condition } from '../planning/condition.ts';
import { isWhole, pageQuestion, recordQuestion } from './reader.ts';

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

const byId = (id: number) =>
  ({ attribute: { name: 'id' }, op: 'eq', values: [id] }) as unknown as Condition;

it('the question for a record has its query, and another key for another record, size or list', () => {
  const question = recordQuestion(queryOf(), byId(7), 10);
  const { relations } = queryOf().plan;
  expect(question).toMatchObject({ query: { key: 'list' }, record: byId(7), size: 10, relations });
  const others = [
    recordQuestion(queryOf(), byId(8), 10),
    recordQuestion(queryOf(), byId(7), 20),
    recordQuestion(queryOf({ list: 'other' }), byId(7), 10),
    question,
    recordQuestion(queryOf(), byId(7), 10),
  ];
  expect(new Set(others.map(({ key }) => key)).size).toBe(4);
});

it.each([
  [10, 100n, 0n, true],
  [9, 100n, 0n, false],
  [5, 15n, 10n, true],
  [10, 15n, 10n, false],
  [0, 10n, 10n, true],
  [0, 5n, 10n, true],
  [1, 5n, 10n, false],
])('%i rows of %i from %i on are a whole page of ten: %s', (rows, total, offset, whole) => {
  expect(isWhole({ rows, total }, { offset, size: 10 })).toBe(whole);
});
