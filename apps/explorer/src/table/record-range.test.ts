import { expect, it } from 'vitest';

import { recordRangeText } from './record-range.ts';

it.each([
  [5, 10, 138_398n, 'records 41–50 of 138,398'],
  [1, 50, 0n, 'no records'],
  [1, 50, 1n, 'record 1 of 1'],
  [2, 50, 51n, 'record 51 of 51'],
  [3, 50, 51n, 'past the end: 51 records in all'],
  [2, 1, 1n, 'past the end: 1 record in all'],
  [
    Number.MAX_SAFE_INTEGER,
    1000,
    10n ** 19n,
    'records 9,007,199,254,740,990,001–9,007,199,254,740,991,000 of 10,000,000,000,000,000,000',
  ],
])('page %d of size %d of %d records shows %s', (page, size, total, text) => {
  expect(recordRangeText({ page, size, total, count: 0 })).toBe(text);
});

it.each([
  [1, 50, 50, 'records 1–50'],
  [2, 50, 7, 'records 51–57'],
  [2, 50, 1, 'record 51'],
  [1, 50, 0, 'no records'],
  [9, 50, 0, 'past the end'],
])(
  'page %d of size %d with %d records shows %s where the total is not known',
  (page, size, count, text) => {
    expect(recordRangeText({ page, size, total: null, count })).toBe(text);
  },
);
