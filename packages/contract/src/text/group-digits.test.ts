import { expect, it } from 'vitest';

import { groupDigits } from './group-digits.ts';

it.each([
  ['0', '0'],
  ['999', '999'],
  ['1000', '1,000'],
  ['10000', '10,000'],
  ['-123456', '-123,456'],
  ['-1234567.8900', '-1,234,567.8900'],
  ['NaN', 'NaN'],
  ['2026-01-31', '2026-01-31'],
])('groups the digits of %s as %s', (text, grouped) => {
  expect(groupDigits(text)).toBe(grouped);
});

it('groups the digits of a long number in a time that grows with its length', () => {
  // In steps that grow with the square of it, a megabyte would take many minutes.
  const groups = 350_000;
  expect(groupDigits('1'.repeat(3 * groups))).toBe(`111${',111'.repeat(groups - 1)}`);
});
