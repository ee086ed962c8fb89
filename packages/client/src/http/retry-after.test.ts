import { expect, it } from 'vitest';

import { retryAfterMs } from './retry-policy.ts';

const read = (value: string): number | null => retryAfterMs(new Headers({ 'retry-after': value }));

it.each([
  ['0', 0],
  ['7', 7_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', null],
  ['', null],
])('reads "%s" as %j milliseconds', (value, milliseconds) => {
  expect(read(value)).toBe(milliseconds);
});

it('reads a date as the time until then', () => {
  const wait = read(new Date(Date.now() + 60_000).toUTCString());
  expect(wait).toBeGreaterThan(55_000);
  expect(wait).toBeLessThanOrEqual(60_000);
});

it('reads nothing where there is nothing', () => {
  expect(retryAfterMs(new Headers())).toBeNull();
});
