import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type BinnedType, evenBounds, shownBounds } from './bounds.ts';

function bounds(min: string, max: string, type: BinnedType['type'], bins = 4): string[] {
  return evenBounds({ min, max }, { type }, bins);
}

describe('the bounds of bins', () => {
  it('are whole numbers for whole numbers, and fewer where there are no more', () => {
    expect(bounds('0', '100', 'int32')).toEqual(['0', '25', '50', '75', '100']);
    expect(bounds('"-9223372036854775808"', '"9223372036854775807"', 'int64', 2)).toEqual([
      '"-9223372036854775808"',
      '"-1"',
      '"9223372036854775807"',
    ]);
    expect(bounds('1', '3', 'int32', 20)).toEqual(['1', '2', '3']);
    expect(bounds('7', '7', 'int32', 20)).toEqual(['7', '7']);
    expect(bounds('"1.5"', '"4"', 'int64', 20)).toEqual(['"1.5"', '"2"', '"3"', '"4"']);
    expect(bounds('"1.5"', '"4.5"', 'int64', 2)).toEqual(['"1.5"', '"3"', '"4.5"']);
  });

  it('of decimals have as many digits as even bins need', () => {
    expect(bounds('"0.00"', '"10.00"', 'decimal')).toEqual([
      '"0.00"',
      '"2.50"',
      '"5.00"',
      '"7.50"',
      '"10.00"',
    ]);
    expect(bounds('"0"', '"1"', 'decimal')).toEqual(['"0"', '"0.25"', '"0.5"', '"0.75"', '"1"']);
    expect(bounds('"100"', '"101"', 'decimal', 3)).toEqual([
      '"100"',
      '"100.333"',
      '"100.666"',
      '"101"',
    ]);
    expect(bounds('"7.5"', '"7.5"', 'decimal')).toEqual(['"7.5"', '"7.5"']);
    const range = { min: '"0.00"', max: '"0.03"' };
    expect(evenBounds(range, { type: 'decimal', hasFixedScale: true }, 9)).toEqual([
      '"0.00"',
      '"0.01"',
      '"0.02"',
      '"0.03"',
    ]);
  });

  it('of floating point numbers are such numbers, however far they are from each other', () => {
    expect(bounds('0.1', '0.9', 'float64', 2)).toEqual(['0.1', '0.5', '0.9']);
    expect(bounds('-1.7976931348623157e+308', '1.7976931348623157e+308', 'float64', 2)).toEqual([
      '-1.7976931348623157e+308',
      '0',
      '1.7976931348623157e+308',
    ]);
    expect(bounds('0', '5e-324', 'float64')).toEqual(['0', '5e-324']);
    // -3 + (-0.7 - -3) is less than -0.7.
    expect(bounds('-3', '-0.7', 'float64', 2)).toEqual(['-3', '-1.85', '-0.7']);
    expect(bounds('1', '"Infinity"', 'float64')).toEqual([]);
    expect(bounds('"-Infinity"', '1', 'float64')).toEqual([]);
  });

  it.each([
    ['date', '2024-02-28', '2024-03-03', ['2024-02-29', '2024-03-01', '2024-03-02']],
    ['date', '0044-03-15 BC', '0001-01-01', ['0033-02-25 BC', '0022-02-07 BC', '0011-01-19 BC']],
    ['date', '9999-12-31', '10000-01-04', ['10000-01-01', '10000-01-02', '10000-01-03']],
    ['time', '-01:00:00', '03:00:00.5', ['00:00:00.125', '01:00:00.25', '02:00:00.375']],
    [
      'timestamp',
      '2026-01-31T23:59:59',
      '2026-02-01T00:00:03',
      ['2026-02-01T00:00:00', '2026-02-01T00:00:01', '2026-02-01T00:00:02'],
    ],
    [
      'timestamp_tz',
      '0001-12-31T23:59:58Z BC',
      '0001-01-01T00:00:02.000001Z',
      ['0001-12-31T23:59:59Z BC', '0001-01-01T00:00:00Z', '0001-01-01T00:00:01Z'],
    ],
  ] as const)('of a %s from %s to %s are in wire form', (type, min, max, between) => {
    const texts = [min, ...between, max].map((text) => JSON.stringify(text));
    expect(bounds(JSON.stringify(min), JSON.stringify(max), type)).toEqual(texts);
  });

  it('of moments are whole microseconds, and the first and the last are the values', () => {
    expect(
      bounds('"2026-01-01T00:00:00.0000001"', '"2026-01-01T00:00:00.000002"', 'timestamp'),
    ).toEqual([
      '"2026-01-01T00:00:00.0000001"',
      '"2026-01-01T00:00:00.000001"',
      '"2026-01-01T00:00:00.000002"',
    ]);
  });

  it.each([
    ['date', '"0000-00-00x"', '"2024-01-01"'],
    ['timestamp', '"infinity"', '"2024-01-01T00:00:00"'],
    ['int64', '"abc"', '"7"'],
    ['text', '"a"', '"b"'],
  ] as const)('are none where a value of a %s is no number', (type, value, other) => {
    expect(bounds(value, value, type)).toEqual([]);
    expect(bounds(value, other, type)).toEqual([]);
    expect(bounds(other, value, type)).toEqual([]);
  });

  it('of whole numbers are the last ones before even bins end', () => {
    const number = fc.integer({ min: -200, max: 200 });
    fc.assert(
      fc.property(number, number, fc.integer({ min: 1, max: 30 }), (one, other, bins) => {
        const [min, max] = [Math.min(one, other), Math.max(one, other)];
        const even = Array.from({ length: bins - 1 }, (_, bin) =>
          Math.floor(min + ((max - min) * (bin + 1)) / bins),
        );
        const between = new Set(even.filter((bound) => bound > min));
        const expected = [min, ...between, max].map(String);
        expect(bounds(String(min), String(max), 'int32', bins)).toEqual(expected);
      }),
    );
  });
});

it('ends where the least value is above the greatest', () => {
  const range = { min: '"10"', max: '"9"' };
  expect(evenBounds(range, { type: 'decimal' }, 3)).toEqual(['"10"', '"9"']);
});

it.each([
  ['"2024-10-27T00:59:59.5Z"', '"2024-10-27T02:59:59.5+02:00"'],
  ['"2024-10-27T01:00:00Z"', '"2024-10-27T02:00:00+01:00"'],
  ['"infinity"', '"infinity"'],
])('the bound %s is %s in Berlin', (bound, local) => {
  const by = { bins: 1, place: 0, zone: 'Europe/Berlin' };
  expect(shownBounds([bound], by)).toEqual([local]);
});
