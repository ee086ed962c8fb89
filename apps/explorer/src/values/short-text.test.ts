import { expect, it } from 'vitest';

import { rangeText, shortNumber, shortText } from './short-text.ts';

it.each([
  ['27406.5525278593834345', '27,406'],
  ['9223372036854775807', '9,223,372,036,854,775,807'],
  ['-1234.9', '-1,234'],
  ['12.3456', '12.35'],
  ['0.000012345', '0.00001234'],
  ['0', '0'],
  ['NaN', 'NaN'],
  ['1e300', '1e300'],
])('writes %s with the digits that matter', (digits, text) => {
  expect(shortNumber(digits)).toBe(text);
});

it('writes moments to the minute, and days alone where they begin one', () => {
  expect(shortText('"2026-01-31T23:59:59"', 'timestamp')).toBe('2026-01-31 23:59');
  expect(shortText('"2026-01-31T00:00:00"', 'timestamp')).toBe('2026-01-31');
  expect(shortText('"2026-01-31"', 'date')).toBe('2026-01-31');
});

it('names a range by both ends, and one of a single value by that', () => {
  expect(rangeText('"500"', '"12437120"', 'int64')).toBe('500 – 12,437,120');
  expect(rangeText('7', '7', 'int32')).toBe('7');
});
