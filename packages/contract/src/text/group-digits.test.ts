import { expect, it } from 'vitest';

import { groupDigits } from './group-digits.ts';

it.each([
  ['0', '0'],
  ['999', '999'],
  ['1000', '1,000'],
  ['-1234567.8900', '-1,234,567.8900'],
  ['NaN', 'NaN'],
  ['2026-01-31', '2026-01-31'],
])('groups the digits of %s as %s', (text, grouped) => {
  expect(groupDigits(text)).toBe(grouped);
});
