import { expect, it } from 'vitest';

import { findsAllCases } from './text-comparison.ts';

const field = (collation: string) => ({
  name: 'v',
  column: 'v',
  type: 'text' as const,
  items: undefined,
  databaseType: 'varchar(100)',
  collation,
});
const isFound = (text: string, collation = 'utf8mb4_unicode_ci') =>
  findsAllCases(text, field(collation));

it('a collation finds all cases of old letters, and of what has no case', () => {
  for (const text of ['', 'Abc 1', 'ÄÖÜ ß'.replace('ß', 'ss'), 'Жук', '東京 😀', 'Ĳ'])
    expect([text, isFound(text)]).toEqual([text, true]);
});

it('a collation may not find all cases of later letters, wherever they are', () => {
  for (const text of ['ß', '𐐀', 'abc𐐀', '𐐀abc', 'Ꭰ', '1ǅ1'])
    expect([text, isFound(text)]).toEqual([text, false]);
  expect(isFound('abc', 'utf8mb4_bin')).toBe(false);
  expect(isFound('kelvin', 'utf8mb4_general_ci')).toBe(false);
});

it('a long text is looked at in a time that grows with its length', () => {
  // With two ways to read each digit, forty of them would take days.
  expect(isFound(`${'1'.repeat(2 ** 20)}𐐀`)).toBe(false);
  expect(isFound('1'.repeat(2 ** 20))).toBe(true);
});
