import type { WireType } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import type { Attribute } from '../../catalogue/model.ts';
import type { Extreme } from '../../catalogue/relation.ts';
import { expectedValue, readBound, readFilterValue, unorderable } from './read-filter-value.ts';

function attribute(type: WireType, ...extremes: readonly Extreme[]): Attribute {
  const facts = {
    name: 'a',
    column: 'a',
    items: undefined,
    databaseType: '',
    nullable: true,
    description: null,
    deprecated: null,
  };
  return { ...facts, type, extremes, storedAs: undefined };
}

const DATES: Extreme = { first: [-4713, 11, 24], last: [5_874_897, 12, 31] };
const MOMENTS: Extreme = { first: [-4713, 11, 24], last: [294_276, 12, 31] };

const digits = (count: number): string => '9'.repeat(count);

type Case = readonly [type: WireType, extremes: readonly Extreme[], value: unknown, read: unknown];

const TAKEN: readonly Case[] = [
  ['int64', [], '9223372036854775807', 2n ** 63n - 1n],
  ['int64', [], '-9223372036854775808', -(2n ** 63n)],
  ['int32', [], 9007199254740991, 9007199254740991n],
  ['int64', ['unsigned'], '18446744073709551615', 2n ** 64n - 1n],
  ['int64', ['unsigned'], '-9223372036854775808', -(2n ** 63n)],
  ['int64', ['reals'], '18446744073709551616', 2 ** 64],
  ['int64', ['reals'], '9223372036854775808', 2 ** 63],
  ['int64', ['reals'], '-18446744073709551616', -(2 ** 64)],
  ['int64', ['reals'], '0.5', 0.5],
  ['int64', ['reals'], 'Infinity', Number.POSITIVE_INFINITY],
  ['int64', ['reals'], 2 ** 63, 2 ** 63],
  ['int32', ['reals'], 0.5, 0.5],
  ['int32', ['reals'], 1e20, 1e20],
  ['boolean', ['numbers'], '2', 2],
  ['boolean', ['numbers'], true, true],
  ['decimal', [], digits(500), digits(500)],
  ['decimal', ['not_a_number'], 'NaN', 'NaN'],
  ['decimal', ['infinity'], '-Infinity', '-Infinity'],
  ['date', ['infinity'], '-infinity', '-infinity'],
  ['date', [DATES], '4714-11-24 BC', '4714-11-24 BC'],
  ['date', [DATES], '5874897-12-31', '5874897-12-31'],
  ['date', [DATES], '0001-02-29 BC', '0001-02-29 BC'],
  ['date', ['zero_dates'], '0000-00-00', '0000-00-00'],
  ['date', ['zero_dates'], '2024-02-31', '2024-02-31'],
  ['time', ['end_of_day'], '24:00:00', '24:00:00'],
  ['time', ['long_times'], '-838:59:59.999999', '-838:59:59.999999'],
  ['timestamp', [MOMENTS], '294276-12-31T23:59:59.999999', '294276-12-31T23:59:59.999999'],
  ['timestamp', [MOMENTS], '0044-03-15T12:00:00.5 BC', '0044-03-15T12:00:00.5 BC'],
  ['timestamp', ['zero_dates'], '2024-00-00 12:00:00.5', '2024-00-00 12:00:00.5'],
  ['timestamp_tz', [MOMENTS], '0044-03-15T12:00:00Z BC', '0044-03-15T12:00:00Z BC'],
  ['timestamp_tz', [], '2024-02-29T00:00:00.000001+05:30', '2024-02-28T18:30:00.000001Z'],
  ['text', ['nul'], 'a\0', 'a\0'],
  ['text', [], 'a', 'a'],
  ['enum', [], 'a', 'a'],
  ['uuid', [], '7C1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11', '7C1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11'],
  ['bytes', [], '', ''],
  ['bytes', [], '3q2+7w==', '3q2+7w=='],
  ['bytes', [], '3q2/', '3q2/'],
  ['bytes', [], '3q2+7wA=', '3q2+7wA='],
  ['float64', [], 1.5, 1.5],
  ['float64', [], 'NaN', NaN],
  ['float64', [], '-Infinity', -Infinity],
  ['float64', [], 'Infinity', Infinity],
  ['decimal', [], 12, '12'],
  ['decimal', [], '-0.5', '-0.5'],
  ['decimal', ['infinity'], 'Infinity', 'Infinity'],
  ['boolean', [], false, false],
  ['date', ['infinity'], 'infinity', 'infinity'],
  ['date', [], '2024-02-29', '2024-02-29'],
  ['date', ['zero_dates'], '2024-12-31', '2024-12-31'],
  ['date', [DATES], '10000-01-01', '10000-01-01'],
  ['date', [DATES], '5874897-02-28', '5874897-02-28'],
  ['date', ['infinity', DATES], '10000-01-01', '10000-01-01'],
  ['time', [], '00:00:00', '00:00:00'],
  ['time', [], '23:59:59.5', '23:59:59.5'],
  ['time', ['long_times'], '100:00:00', '100:00:00'],
  ['time', ['long_times'], '829:00:00', '829:00:00'],
  ['time', ['long_times'], '838:00:00', '838:00:00'],
  ['timestamp', ['infinity'], 'infinity', 'infinity'],
  ['timestamp', [], '2024-01-01T00:00:00', '2024-01-01T00:00:00'],
  ['timestamp_tz', ['infinity'], '-infinity', '-infinity'],
  ['timestamp_tz', ['zero_dates'], '2024-00-00 12:00:00', '2024-00-00 12:00:00'],
  ['timestamp_tz', [], '2024-01-01T00:00:00z', '2024-01-01T00:00:00Z'],
  ['timestamp_tz', [], '2024-01-01T00:00:00-14:00', '2024-01-01T14:00:00Z'],
  ['timestamp_tz', [], '2024-01-01T00:00:00+00:30', '2023-12-31T23:30:00Z'],
  ['json', [], 'a"\\', String.raw`"a\"\\"`],
  ['json', ['nul'], '\0', String.raw`"\u0000"`],
  ['json', [], true, 'true'],
  ['json', [], -0, '0'],
  ['json', [], 12.5, '125e-1'],
  ['json', [], { number: '9007199254740993.0' }, '9007199254740993e0'],
  ['json', [], { number: '0e-400' }, '0'],
  ['other', [], '(1,2)', '(1,2)'],
  ['any', [], '1', "'1"],
  ['any', [], 1, 1n],
  ['any', [], 0.5, 0.5],
  ['any', [], { number: '9223372036854775807' }, 2n ** 63n - 1n],
  ['any', [], { number: '9223372036854775808.0' }, 2 ** 63],
  ['any', [], { number: '1.05' }, 1.05],
  ['any', [], { number: 'Infinity' }, Infinity],
  ['any', [], { number: '-1.0' }, -1],
  ['json', [], { number: `0.${'1'.repeat(998)}` }, `${'1'.repeat(998)}e-998`],
  ['any', [], { bytes: '3q2+7w==' }, 'x3q2+7w=='],
];

const REFUSED: readonly (readonly [
  type: WireType,
  extremes: readonly Extreme[],
  value: unknown,
])[] = [
  ['any', [], '\ud800'],
  ['any', [], 1e20],
  ['any', [], true],
  ['any', [], null],
  ['any', [], {}],
  ['any', [], { number: 1 }],
  ['decimal', [], ['1']],
  ['json', [], { number: `0.${'1'.repeat(999)}` }],
  ['any', [], { number: '0.05.0' }],
  ['any', [], { number: '1', bytes: '' }],
  ['any', [], { bytes: '3q2' }],
  ['any', [], { text: '1' }],
  ['int64', [], '9223372036854775808'],
  ['int64', [], '-9223372036854775809'],
  ['int64', [], '18446744073709551615'],
  ['int64', [], 9007199254740992],
  ['int64', [], 0.5],
  ['int64', ['unsigned'], '18446744073709551616'],
  ['int64', ['unsigned'], '-9223372036854775809'],
  ['int64', ['reals'], '18446744073709551617'],
  ['int64', ['reals'], '9223372036854775809'],
  ['int64', ['reals'], '0.50'],
  ['int64', ['reals'], '1e3'],
  ['int64', ['reals'], 'NaN'],
  ['int64', ['reals'], ' 1'],
  ['int64', ['reals'], ''],
  ['int32', ['reals'], 9007199254740992],
  ['boolean', [], '2'],
  ['boolean', ['numbers'], 2],
  ['boolean', ['numbers'], 'true'],
  ['boolean', ['numbers'], 'NaN'],
  ['decimal', [], 'NaN'],
  ['decimal', [], 'Infinity'],
  ['float64', [], JSON.parse('1e400')],
  ['int64', ['reals'], JSON.parse('-1e400')],
  ['any', [], JSON.parse('1e400')],
  ['json', [], JSON.parse('1e400')],
  ['decimal', ['not_a_number'], 'Infinity'],
  ['decimal', [], `0.${digits(16_384)}`],
  ['decimal', [], digits(131_073)],
  ['decimal', [], '1e5'],
  ['date', [], 'infinity'],
  ['date', [], '0044-03-15 BC'],
  ['date', [], '10000-01-01'],
  ['date', [], '0000-01-01'],
  ['date', [], '2024-02-30'],
  ['date', [], '1900-02-29'],
  ['date', [], '2024-04-31'],
  ['date', [DATES], '4714-11-23 BC'],
  ['date', [DATES], '5874898-01-01'],
  ['date', [DATES], '0000-01-01 BC'],
  ['date', [DATES], '0002-02-29 BC'],
  ['date', [DATES], '010000-01-01'],
  ['date', ['zero_dates'], '2024-13-01'],
  ['date', ['zero_dates'], '2024-01-32'],
  ['time', [], '24:00:00'],
  ['time', ['end_of_day'], '24:00:00.000001'],
  ['time', ['end_of_day'], '-01:00:00'],
  ['time', ['long_times'], '839:00:00'],
  ['timestamp', [], '2024-01-01 00:00:00'],
  ['timestamp', [], '2024-01-01T00:00:00Tx'],
  ['timestamp', [MOMENTS], '294277-01-01T00:00:00'],
  ['timestamp', ['zero_dates'], '2024-01-01 00:00:00'],
  ['timestamp_tz', [], '2024-01-01T00:00:00'],
  ['timestamp_tz', [], '0001-01-01T00:00:00+01:00'],
  ['timestamp_tz', [], '0044-03-15T12:00:00Z BC'],
  ['timestamp_tz', [MOMENTS], '0044-03-15T12:00:00+01:00 BC'],
  ['text', [], 'a\0'],
  ['text', [], 1],
  ['enum', [], 1],
  ['uuid', [], '7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b1'],
  ['uuid', [], 'x7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11'],
  ['uuid', [], '7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11x'],
  ['uuid', [], 1],
  ['uuid', [], ['7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11']],
  ['bytes', [], '3q2+7w'],
  ['bytes', [], '3q2+7w=='.repeat(2)],
  ['bytes', [], '3q2-'],
  ['float64', [], '1.5'],
  ['decimal', [], 1.5],
  ['decimal', [], true],
  ['decimal', [], '.5'],
  ['boolean', [], 'true'],
  ['json', [], null],
  ['json', [], []],
  ['json', [], 'a\0'],
  ['json', [], 2 ** 53],
  ['json', [], Number.NaN],
  ['json', [], { number: 1 }],
  ['json', [], { number: '01' }],
  ['json', [], { number: '1', text: '1' }],
  ['json', [], { number: '1e309' }],
  ['json', [], { number: '1e-400' }],
  ['json', [], { number: '1'.repeat(1001) }],
  ['other', [], 1],
  ['date', [], 20_240_101],
  ['date', ['infinity'], '2024-01-32'],
  ['date', ['infinity'], 'Infinity'],
  ['date', [DATES], 'x2024-01-01'],
  ['date', [DATES], '10000-13-01'],
  ['time', [], 0],
  ['time', [], ['12:00:00']],
  ['time', [], '12:00:00x'],
  ['time', [], 'x12:00:00'],
  ['time', [], '12:00:60'],
  ['time', [], '12:00:00.1234567'],
  ['time', ['long_times'], '12:00:00x'],
  ['time', ['long_times'], 'x12:00:00'],
  ['time', ['long_times'], '1:00:00'],
  ['time', ['long_times'], '-839:00:00'],
  ['timestamp', [], 0],
  ['timestamp', [], '2024-01-01'],
  ['timestamp', [], '2024-01-01T25:00:00'],
  ['timestamp', [], '2024-13-01T00:00:00'],
  ['timestamp', ['zero_dates'], '2024-00-00 25:00:00'],
  ['timestamp', ['zero_dates'], '2024-00-00 12:00:00 x'],
  ['timestamp_tz', [], 0],
  ['timestamp_tz', [], '2024-01-01T00:00:00+15:00'],
  ['timestamp_tz', [], '2024-01-01T00:00:00Zx'],
  ['timestamp_tz', [], '2024-13-01T00:00:00Z'],
  ['timestamp_tz', [], '2024-01-01T00:00:00+01:60'],
  ['text', ['nul'], '\ud800'],
];

describe('a value of a filter', () => {
  it.each(TAKEN)('of %s with %j takes %j', (type, extremes, value, read) => {
    expect(readFilterValue(value, attribute(type, ...extremes))).toBe(read);
  });

  it.each(REFUSED)('of %s with %j refuses %j', (type, extremes, value) => {
    expect(readFilterValue(value, attribute(type, ...extremes))).toBeUndefined();
  });
});

describe('the message of a refused value', () => {
  it.each<[WireType, string]>([
    ['text', 'a string'],
    ['enum', 'a string'],
    ['uuid', 'a UUID, such as "7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11"'],
    ['int32', 'a whole number'],
    ['int64', 'a whole number; above 2^53 − 1, write its digits as a string'],
    ['decimal', 'a string of decimal digits, such as "12.50"'],
    ['float64', 'a number, or "NaN", "Infinity" or "-Infinity"'],
    ['boolean', 'true or false'],
    ['date', 'a date, such as "2026-01-31"'],
    ['time', 'a time, such as "23:59:59.999999"'],
    ['timestamp', 'a date and time without a zone, such as "2026-01-31T23:59:59"'],
    ['timestamp_tz', 'an instant with a zone, such as "2026-01-31T22:59:59Z"'],
    ['bytes', 'base64 with padding, such as "3q2+7w=="'],
    ['other', 'a string'],
    ['array', 'no value'],
  ])('of %s says that it has to be %s', (type, expected) => {
    expect(expectedValue(attribute(type))).toBe(expected);
  });
});

describe('a value compared with dates that the database has no type for', () => {
  const stored = { ...attribute('date'), storedAs: 'text' as const };

  it.each(['2024-01-01', 'no date', 'a\0'])('may be any text: %j', (value) => {
    expect(readFilterValue(value, stored)).toBe(value);
  });

  it.each<[WireType, string]>([
    ['date', '2026-01-31'],
    ['date', '2026-01-31 00:00'],
    ['timestamp', '2026-01-31'],
    ['timestamp', '2026-01-31 23:59'],
    ['timestamp', '2026-01-31T23:59:59.1234567'],
    ['timestamp_tz', '2026-01-31T23:59:59+02:00'],
    ['timestamp_tz', '2026-01-31'],
  ])('bounds a %s in each form in which one is stored: %s', (type, value) => {
    expect(readBound(value, { ...stored, type })).toBe(value);
  });

  it.each<[WireType, unknown]>([
    ['date', 'yesterday'],
    ['date', ''],
    ['date', '2026-6-1'],
    ['date', '2026-13-01'],
    ['date', '2026-02-30'],
    ['date', '2026-01-31T12:00:00'],
    ['date', 20260131],
    ['timestamp', '2026-01-31T24:00:00'],
    ['timestamp', '2026-01'],
    ['timestamp_tz', '2026-01-31T23:59:59+99:00'],
  ])('bounds no %s where it is none: %j', (type, value) => {
    expect(readBound(value, { ...stored, type })).toBeUndefined();
  });

  it('bounds a number by a number', () => {
    expect(readBound(5, attribute('int32'))).toBe(5n);
  });

  it.each([1, null, '\ud800'])('is no text where it is %j', (value) => {
    expect(readFilterValue(value, stored)).toBeUndefined();
  });
});

it('characters that the encoding of an order lacks are named', () => {
  const latin = { ...attribute('text'), encoding: { name: 'LATIN1', characters: 'é' } };
  expect(unorderable('aéж', latin)).toBe(
    'characters of LATIN1, which orders this attribute and has no "ж"',
  );
  expect(unorderable('aé', latin)).toBeUndefined();
  expect(unorderable('ж', attribute('text'))).toBeUndefined();
});

it('moments with seconds in their offset are those of UTC where they have a zone', () => {
  const value = '1880-05-05T10:00:00+00:09:21';
  expect(readFilterValue(value, attribute('timestamp_tz'))).toBe('1880-05-05T09:50:39Z');
  expect(readFilterValue(value, { ...attribute('timestamp'), storedAs: 'text' })).toBe(value);
});
