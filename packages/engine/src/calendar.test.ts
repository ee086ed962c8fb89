import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import {
  dayNumber,
  dayOf,
  floorDivide,
  printDay,
  printMoment,
  printTimeOfDay,
  readDay,
  readMoment,
  readTimeOfDay,
} from './calendar.ts';

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

/** Milliseconds of moments from the year 1 to 9999. */
const MOMENT = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 });

/** A moment in wire form. */
function wireForm(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.?0*Z$/, 'Z');
}

/** The same, of the years before 1. */
function beforeChrist(year: number, text: string): string {
  return `${String(year).padStart(4, '0')}${text} BC`;
}

it('a date, a time and a moment are read as a Date reads them, and printed as they were', () => {
  fc.assert(
    fc.property(MOMENT, (milliseconds) => {
      const iso = new Date(milliseconds).toISOString();
      const [date = '', time = ''] = iso.slice(0, -1).split('T');
      const day = Math.floor(milliseconds / DAY_MS);
      const ofDay = milliseconds - day * DAY_MS;
      expect(readDay(date)).toEqual({ units: BigInt(day), scale: 0 });
      expect(readTimeOfDay(time)).toEqual({ units: BigInt(ofDay), scale: 3 });
      for (const text of [iso, iso.slice(0, -1)])
        expect(readMoment(text)).toEqual({ units: BigInt(milliseconds), scale: 3 });
      const wire = wireForm(milliseconds);
      const moment = { units: BigInt(milliseconds), scale: 3 };
      expect(printDay(BigInt(day))).toBe(date);
      expect(printTimeOfDay({ units: BigInt(ofDay), scale: 3 })).toBe(wire.slice(11, -1));
      expect(printMoment(moment, 'Z')).toBe(wire);
      expect(printMoment(moment, '')).toBe(wire.slice(0, -1));
    }),
    { numRuns: 500 },
  );
});

it('the year before 1 is the year 1 BC, and the one before that 2 BC', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200_000 }), (year) => {
      const date = beforeChrist(year, '-03-01');
      const first = new Date(0);
      const day = BigInt(first.setUTCFullYear(1 - year, 2, 1) / DAY_MS);
      expect(readDay(date)).toEqual({ units: day, scale: 0 });
      expect(printDay(day)).toBe(date);
      const moment = beforeChrist(year, '-03-01T00:00:01.5Z');
      const tenths = { units: day * 864_000n + 15n, scale: 1 };
      expect(readMoment(moment)).toEqual(tenths);
      expect(printMoment(tenths, 'Z')).toBe(moment);
      expect(printMoment(tenths, '')).toBe(moment.replace('Z', ''));
    }),
  );
});

it.each([
  ['-00:00:00.25', -25n, 2],
  ['-838:59:59', -3_020_399n, 0],
  ['838:00:00.000001', 3_016_800_000_001n, 6],
  ['24:00:00', 86_400n, 0],
])('the time %s, which no clock shows, is read and printed', (text, units, scale) => {
  expect(readTimeOfDay(text)).toEqual({ units, scale });
  expect(printTimeOfDay({ units, scale })).toBe(text);
});

it('a time without a fraction is printed without a point, whatever its scale', () => {
  expect(printTimeOfDay({ units: 3_661_000_000n, scale: 6 })).toBe('01:01:01');
  expect(printTimeOfDay({ units: 3_661_050_000n, scale: 6 })).toBe('01:01:01.05');
});

it.each(['', '2024-1-01', '024-01-01', '12345678-01-01', 'x2024-01-01', '2024-01-01x', '2024-01'])(
  'the text %j is no date',
  (text) => {
    expect(readDay(text)).toBeUndefined();
    expect(readMoment(`${text}T00:00:00`)).toBeUndefined();
  },
);

it.each(['', '1:00:00', '0001:00:00', '00:00', '00:00:00.', 'x00:00:00', '00:00:00x', '00:00:0a'])(
  'the text %j is no time',
  (text) => {
    expect(readTimeOfDay(text)).toBeUndefined();
    expect(readMoment(`2024-01-01T${text}`)).toBeUndefined();
  },
);

it.each([
  '2024-01-01',
  '2024-01-01 00:00:00',
  'x2024-01-01T00:00:00',
  '2024-01-01T00:00:00Zx',
  '2024-01-01T00:00:00+01',
  '2024-01-01T00:00:00 AD',
  '2024-01-01 BCT00:00:00',
])('the text %j is no moment', (text) => {
  expect(readMoment(text)).toBeUndefined();
});
