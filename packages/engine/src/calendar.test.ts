import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { dayNumber, dayOf, floorDivide } from './calendar.ts';

const DAY_MS = 86_400_000;

/** Days since 1970, as far as a `Date` reaches. */
const DAY = fc.integer({ min: -100_000_000, max: 100_000_000 });

function calendarDay(day: number): readonly [bigint, bigint, bigint] {
  const date = new Date(day * DAY_MS);
  const parts = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  const [year = 0n, month = 0n, ofMonth = 0n] = parts.map(BigInt);
  return [year, month, ofMonth];
}

it('the number of a day and the day of a number are those of the calendar', () => {
  fc.assert(
    fc.property(DAY, (day) => {
      expect(dayNumber(...calendarDay(day))).toBe(BigInt(day));
      expect(dayOf(BigInt(day))).toEqual(calendarDay(day));
    }),
    { numRuns: 2000 },
  );
});

it('all days of 400 years before 1 and of those after 1970 have their number', () => {
  for (const from of [-730_000, 0])
    for (let day = from; day < from + 146_097; day += 1) {
      const [year, month, ofMonth] = dayOf(BigInt(day));
      if (dayNumber(year, month, ofMonth) !== BigInt(day)) throw new Error(`day ${day}`);
    }
  expect(dayOf(-719_529n)).toEqual([-1n, 12n, 31n]);
  expect(dayOf(11_016n)).toEqual([2000n, 2n, 29n]);
});

it('a month of zero is the one before January, and a day of zero the one before the first', () => {
  expect(dayNumber(2024n, 0n, 1n)).toBe(dayNumber(2023n, 12n, 1n));
  expect(dayNumber(2024n, 3n, 0n)).toBe(dayNumber(2024n, 2n, 29n));
  expect(dayNumber(2023n, 2n, 30n)).toBe(dayNumber(2023n, 3n, 2n));
});

it('a quotient is rounded down, also below zero', () => {
  const number = fc.integer({ min: -1000, max: 1000 });
  fc.assert(
    fc.property(number, fc.integer({ min: 1, max: 30 }), (dividend, divisor) => {
      const quotient = Math.floor(dividend / divisor);
      expect(floorDivide(BigInt(dividend), BigInt(divisor))).toBe(BigInt(quotient));
    }),
    { numRuns: 500 },
  );
});
