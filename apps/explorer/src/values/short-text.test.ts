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

it.each([
  ['1500.1', '1500.14', 'float64', '1,500.1 – 1,500.14'],
  ['1500.1799999999998', '1500.22', 'float64', '1,500.18 – 1,500.22'],
  ['1500.8', '1501.2', 'float64', '1,500.8 – 1,501.2'],
  ['-1500.14', '-1500.1', 'float64', '-1,500.14 – -1,500.1'],
  ['999.96', '1000.04', 'float64', '999.96 – 1,000.04'],
  ['12.34561', '12.34565', 'float64', '12.34561 – 12.34565'],
  ['12.3456', '20', 'float64', '12.35 – 20'],
  ['1500.14', '9500.18', 'float64', '1,500 – 9,500'],
  ['0', '1e-300', 'float64', '0 – 1e-300'],
  ['"1500.1"', '"1500.9"', 'decimal', '1,500.1 – 1,500.9'],
  [
    '"9223372036854775806"',
    '"9223372036854775807"',
    'int64',
    '9,223,372,036,854,775,806 – 9,223,372,036,854,775,807',
  ],
  [
    '"12345678901234567890.1"',
    '"12345678901234567890.9"',
    'decimal',
    '12,345,678,901,234,567,890.1 – 12,345,678,901,234,567,890.9',
  ],
  [
    '"2026-01-31T23:59:01"',
    '"2026-01-31T23:59:03"',
    'timestamp',
    '2026-01-31T23:59:01 – 2026-01-31T23:59:03',
  ],
])('keeps the digits by which %s is not %s in a range', (from, to, type, text) => {
  expect(rangeText(from, to, type)).toBe(text);
});
