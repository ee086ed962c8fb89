import { describe, expect, it } from 'vitest';

import type { Extreme } from '../../catalogue/relation.ts';
import { readDate, readTime, readTimestamp, readTimestampTz } from './date-text.ts';

/** The days that PostgreSQL has, in dates and in moments. */
const FAR_DATES: Extreme = { first: [-4713, 11, 24], last: [5_874_897, 12, 31] };
const FAR_MOMENTS: Extreme = { first: [-4713, 11, 24], last: [294_276, 12, 31] };

type Read = (value: unknown, extremes: readonly Extreme[]) => string | undefined;

const READERS: readonly (readonly [type: string, read: Read])[] = [
  ['date', readDate],
  ['time', readTime],
  ['timestamp', readTimestamp],
  ['timestamp_tz', readTimestampTz],
];

describe.each(READERS)('a %s', (_type, read) => {
  it.each([undefined, null, 0, {}, ['2024-01-01'], ''])('is not %j', (value) => {
    expect(read(value, [])).toBeUndefined();
  });

  it('does not have the extremes of the others', () => {
    expect(read('24:00:00', ['infinity', FAR_DATES, 'zero_dates'])).toBeUndefined();
  });
});

it('has nine digits of a second, and no other time, where the database knows that', () => {
  const time = '12:00:00.123456789';
  expect(readTime(time, ['nanoseconds'])).toBe(time);
  expect(readTime(time, [])).toBeUndefined();
  const moment = `2024-01-01T${time}`;
  expect(readTimestamp(moment, ['nanoseconds'])).toBe(moment);
  expect(readTimestamp(moment, ['end_of_day', 'long_times'])).toBeUndefined();
  expect(readTimestamp('2024-01-01T24:00:00', ['end_of_day'])).toBeUndefined();
  expect(readTimestamp('2024-01-01T100:00:00', ['long_times'])).toBeUndefined();
});

describe.each(READERS.filter(([type]) => type !== 'time'))('a %s', (_type, read) => {
  it.each(['infinity', '-infinity'])('is %s where there are infinite ones', (text) => {
    expect(read(text, ['infinity'])).toBe(text);
    expect(read(text, [FAR_DATES])).toBeUndefined();
  });

  it.each(['Infinity', '+infinity', 'infinity '])('is never %j', (text) => {
    expect(read(text, ['infinity'])).toBeUndefined();
  });
});

describe('a date', () => {
  it.each(['0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29'])('takes %s', (text) => {
    expect(readDate(text, [])).toBe(text);
  });

  it.each([
    '0000-01-01',
    '2023-02-29',
    '1900-02-29',
    '2024-13-01',
    '2024-00-01',
    '2024-01-00',
    '2024-1-1',
    '24-01-01',
    '10000-01-01',
    '2024-01-01 ',
    ' 2024-01-01',
    '2024-01-01T00:00:00',
    '2024-01-01 BC',
  ])('refuses %j', (text) => {
    expect(readDate(text, [])).toBeUndefined();
  });

  it.each(['0000-00-00', '2024-00-00', '2024-12-31', '2024-02-31', '0000-01-31'])(
    'takes %s where there are zero dates',
    (text) => {
      expect(readDate(text, ['zero_dates'])).toBe(text);
    },
  );

  it.each(['2024-13-00', '2024-00-32', '12024-00-00'])(
    'refuses %s where there are zero dates',
    (text) => {
      expect(readDate(text, ['zero_dates'])).toBeUndefined();
    },
  );

  it.each([
    '10000-01-01',
    '5874897-12-31',
    '0001-12-31 BC',
    '0005-02-29 BC',
    '4714-11-24 BC',
    '4713-01-01 BC',
  ])('takes %s where years are far', (text) => {
    expect(readDate(text, [FAR_DATES])).toBe(text);
    expect(readDate(text, [])).toBeUndefined();
  });

  it.each([
    '5874898-01-01',
    '4714-11-23 BC',
    '4714-10-25 BC',
    '4715-12-31 BC',
    '0000-01-01',
    '0000-01-01 BC',
    '0002-02-29 BC',
    '010000-01-01',
    '10000-01-01 AD',
  ])('refuses %s where years are far', (text) => {
    expect(readDate(text, [FAR_DATES])).toBeUndefined();
  });
});

describe('a time', () => {
  it.each(['00:00:00', '23:59:59', '19:07:30.5', '12:00:00.123456'])('takes %s', (text) => {
    expect(readTime(text, [])).toBe(text);
  });

  it.each([
    '24:00:00',
    '23:60:00',
    '23:00:60',
    '7:00:00',
    '12:00',
    '12:00:00.',
    '12:00:00.1234567',
    'x12:00:00',
    '12:00:00Z',
    '-12:00:00',
  ])('refuses %s', (text) => {
    expect(readTime(text, [])).toBeUndefined();
  });

  it('takes the end of a day where there is one, and no later time', () => {
    expect(readTime('24:00:00', ['end_of_day'])).toBe('24:00:00');
    expect(readTime('24:00:01', ['end_of_day'])).toBeUndefined();
  });

  it.each([
    '24:00:01',
    '99:00:00',
    '100:59:59',
    '-00:00:01',
    '799:00:00',
    '829:00:00',
    '838:59:59.5',
  ])('takes %s where times are long', (text) => {
    expect(readTime(text, ['long_times'])).toBe(text);
  });

  it.each([
    '839:00:00',
    '840:00:00',
    '900:00:00',
    '1000:00:00',
    '7:00:00',
    '100:60:00',
    '+99:00:00',
    'x99:00:00',
    '99:00:00x',
    '8a9:00:00',
  ])('refuses %s where times are long', (text) => {
    expect(readTime(text, ['long_times'])).toBeUndefined();
  });
});

describe('a timestamp', () => {
  it.each(['2024-02-29T23:59:59', '0001-01-01T00:00:00.000001'])('takes %s', (text) => {
    expect(readTimestamp(text, [])).toBe(text);
  });

  it.each([
    '2024-02-29',
    '2024-02-30T00:00:00',
    '2024-02-29T24:00:00',
    '2024-02-29T00:00:00T00:00:00',
    '2024-02-29 00:00:00',
    '2024-02-29T00:00:00Z',
    'T00:00:00',
    '10000-01-01T00:00:00',
    '0001-01-01T00:00:00 BC',
  ])('refuses %s', (text) => {
    expect(readTimestamp(text, [])).toBeUndefined();
  });

  it.each(['294276-12-31T23:59:59.999999', '4714-11-24T00:00:00 BC'])(
    'takes %s where years are far',
    (text) => {
      expect(readTimestamp(text, [FAR_MOMENTS])).toBe(text);
    },
  );

  it.each(['294277-01-01T00:00:00', '4714-11-23T23:59:59 BC', '10000-01-01T24:00:00'])(
    'refuses %s where years are far',
    (text) => {
      expect(readTimestamp(text, [FAR_MOMENTS])).toBeUndefined();
    },
  );

  it.each(['0000-00-00 00:00:00', '2024-00-31 12:00:00.5', '2024-12-00 23:59:59'])(
    'takes %s where there are zero dates',
    (text) => {
      expect(readTimestamp(text, ['zero_dates'])).toBe(text);
      expect(readTimestamp(text, [])).toBeUndefined();
    },
  );

  it.each([
    '2024-01-01 00:00:00',
    '2024-00-00',
    '2024-00-00 24:00:00',
    '2024-00-00 00:00:00 00:00:00',
    '2024-13-00 00:00:00',
  ])('refuses %s where there are zero dates', (text) => {
    expect(readTimestamp(text, ['zero_dates'])).toBeUndefined();
  });
});

describe('a timestamp with a time zone', () => {
  it.each([
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00Z'],
    ['2024-02-29T12:00:00z', '2024-02-29T12:00:00Z'],
    ['2024-02-29T12:00:00.123456Z', '2024-02-29T12:00:00.123456Z'],
    ['2024-03-01T00:30:00+01:00', '2024-02-29T23:30:00Z'],
    ['2024-02-29T23:30:00-01:00', '2024-03-01T00:30:00Z'],
    ['2024-02-29T12:00:00.5+14:59', '2024-02-28T21:01:00.5Z'],
    ['2024-02-29T12:00:00+09:59', '2024-02-29T02:01:00Z'],
  ])('turns %s to UTC: %s', (text, utc) => {
    expect(readTimestampTz(text, [])).toBe(utc);
  });

  it.each([
    '2024-02-29T12:00:00',
    '2024-02-29T12:00:00+15:00',
    '2024-02-29T12:00:00+19:00',
    '2024-02-29T12:00:00+01:60',
    '2024-02-29T12:00:00+0100',
    '2024-02-29T12:00:00Z ',
    '2024-02-29T12:00:00Zx',
    '2024-02-30T12:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '0044-03-15T12:00:00Z BC',
  ])('refuses %s', (text) => {
    expect(readTimestampTz(text, [])).toBeUndefined();
  });

  it.each(['10000-01-01T00:00:00Z', '0044-03-15T12:00:00Z BC', '2024-01-01T00:00:00Z'])(
    'takes %s where years are far',
    (text) => {
      expect(readTimestampTz(text, [FAR_MOMENTS])).toBe(text);
    },
  );

  it.each(['10000-01-01T00:00:00+01:00', '10000-01-01T00:00:00z', '0044-03-15T12:00:00+00:00 BC'])(
    'refuses %s where years are far, as extremes are in UTC',
    (text) => {
      expect(readTimestampTz(text, [FAR_MOMENTS])).toBeUndefined();
    },
  );

  it('takes a zero moment as it is', () => {
    expect(readTimestampTz('2024-00-00 00:00:00', ['zero_dates'])).toBe('2024-00-00 00:00:00');
    expect(readTimestampTz('2024-00-00 00:00:00', ['infinity'])).toBeUndefined();
  });
});
