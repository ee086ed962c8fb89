import { expect, it } from 'vitest';

import { rangeFacts, rangeText, type ShownRange } from './range-text.ts';

const range = (parts: Partial<ShownRange>): ShownRange => ({
  items: 'records',
  page: 1,
  size: 50,
  shown: 50,
  total: 4442n,
  hasNext: true,
  ...parts,
});

it.each([
  [{}, 'records 1–50 of exactly 4,442; not all; next: page 2 (size 50)'],
  [
    { page: 89, shown: 42, hasNext: false },
    'records 4,401–4,442 of exactly 4,442; not all; these are the last',
  ],
  [{ shown: 7, total: 7n, hasNext: false }, 'records 1–7 of exactly 7; these are all'],
  [{ shown: 1, total: 1n, hasNext: false }, 'records 1 of exactly 1; these are all'],
  [{ shown: 0, total: 0n, hasNext: false }, 'no records: exactly 0 match; these are all'],
  [
    { page: 90, shown: 0, hasNext: false },
    'no records on page 90: there are exactly 4,442, and the last page of size 50 is page 89',
  ],
  [{ total: null }, 'records 1–50; their number was not counted; not all; next: page 2 (size 50)'],
  [
    { total: null, shown: 0, page: 3, hasNext: false },
    'no records on page 3: the list ends before it',
  ],
])('says of %o: %s', (parts, text) => {
  expect(rangeText(range(parts))).toBe(text);
});

it('gives programs places past 2^53 as texts', () => {
  const total = 2n ** 60n;
  expect(rangeFacts(range({ page: 2 ** 52, size: 1000, shown: 1, total }))).toMatchObject({
    first: '4503599627370495001',
    last: '4503599627370495001',
    total: String(total),
    complete: false,
  });
});
