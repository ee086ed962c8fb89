import { expect, it } from 'vitest';

import { readInterval } from './interval-text.ts';

it.each([
  '00:00:00',
  '1 day',
  '1 year 2 mons 3 days 04:05:06.7',
  '-1 years -2 mons +3 days -04:05:06.000001',
  '1 mon',
  '178956970 years 6 mons',
  '1 day 100:00:00',
  'P1Y2M3DT4H5M6.5S',
  'P1D',
  'PT0S',
  'P-1DT-2H',
])('%s is a length of time', (text) => {
  expect(readInterval(text, [])).toBe(text);
});

it.each([
  '',
  ' 1 day',
  '1 day ',
  '1',
  'day',
  '1 week',
  '1 day 4:05:06',
  '1 day 04:65:06',
  '1 day 04:05:06.1234567',
  '178956970 years 7 mons',
  '2147483647 days',
  '9999999999:00:00',
  'P',
  'PT',
  'P1DT',
  'P1W',
  'p1d',
  "1 day'; --",
  'infinity',
  1,
  ['1 day'],
  null,
])('%j is none', (value) => {
  expect(readInterval(value, [])).toBeUndefined();
});

it.each(['infinity', '-infinity'])('may be %s where the database knows that', (text) => {
  expect(readInterval(text, ['infinity'])).toBe(text);
});
