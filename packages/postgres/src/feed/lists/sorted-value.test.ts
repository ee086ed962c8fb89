import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type SortedValue, valueReaderOf } from './key-order.ts';

function read(type: string, text: string): SortedValue | undefined {
  const reader = valueReaderOf(type);
  if (reader === undefined) throw new Error(`Values of ${type} are not read.`);
  return reader(text);
}

/** -1, 0 or 1, as a value is before another one, equal to it or behind it. */
function signOf(one: SortedValue | undefined, other: SortedValue | undefined): number {
  if (one === undefined || other === undefined) throw new Error('A value was not read.');
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

const LONG = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

/** Whole numbers at which a double is not exact any longer. */
const NEAR_2_53 = fc
  .tuple(fc.constantFrom(1n, -1n), fc.bigInt({ min: -3n, max: 3n }))
  .map(([sign, more]) => sign * (2n ** 53n + more));

const INTEGER = fc.oneof(LONG, NEAR_2_53, fc.bigInt({ min: -9n, max: 9n }));

/** Milliseconds from the year 1 to 9999. */
const MOMENT = fc.oneof(
  fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
  fc.integer({ min: 0, max: 3000 }),
);

/** As PostgreSQL prints a timestamp. */
function printed(milliseconds: number): string {
  return new Date(milliseconds)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '');
}

describe('values of a column', () => {
  it.each(['smallint', 'integer', 'bigint'])('of type %s sort as whole numbers', (type) => {
    fc.assert(
      fc.property(INTEGER, INTEGER, (one, other) => {
        const [first, second] = [read(type, String(one)), read(type, String(other))];
        expect(signOf(first, second)).toBe(signOf(one, other));
        expect(typeof first).toBe(Number.isSafeInteger(Number(one)) ? 'number' : 'bigint');
      }),
      { numRuns: 500 },
    );
  });

  it('sort as moments do, with a fraction of a second or without', () => {
    fc.assert(
      fc.property(MOMENT, MOMENT, (one, other) => {
        const [a, b] = [printed(one), printed(other)];
        const sign = signOf(one, other);
        const [plain, zoned] = ['timestamp without time zone', 'timestamp with time zone'];
        expect(signOf(read(plain, a), read(plain, b))).toBe(sign);
        expect(signOf(read(zoned, `${a}+00`), read(zoned, `${b}+00`))).toBe(sign);
        const [day, otherDay] = [a.slice(0, 10), b.slice(0, 10)];
        const [number, otherNumber] = [day, otherDay].map((date) => Date.parse(date));
        expect(signOf(read('date', day), read('date', otherDay))).toBe(signOf(number, otherNumber));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['date', '0001-01-01', '9999-12-31'],
    ['timestamp without time zone', '0001-01-01 00:00:00', '9999-12-31 23:59:59.999999'],
    ['timestamp with time zone', '0001-01-01 00:00:00+00', '9999-12-31 23:59:59.999999+00'],
  ])('of type %s are between the infinities', (type, first, last) => {
    const all = ['-infinity', first, last, 'infinity'].map((text) => read(type, text));
    expect(all.slice(1).map((value, index) => signOf(all[index], value))).toEqual([-1, -1, -1]);
  });

  it('that are booleans are read from the whole word and from its first letter', () => {
    const values = ['f', 'false', 't', 'true'].map((text) => read('boolean', text));
    expect(values).toEqual([0, 0, 1, 1]);
  });

  it('that are bytes and uuids sort as the numbers that they spell', () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        const [a, b] = [one, other].map((array) => Buffer.from(array).toString('hex'));
        const sign = signOf(BigInt(`0x${a}`), BigInt(`0x${b}`));
        const [c, d] = [a, b].map((hex) => read('bytea', String.raw`\x${hex}`));
        expect(signOf(c, d)).toBe(sign);
        const [e, f] = [a, b].map((hex = '') =>
          read('uuid', hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')),
        );
        expect(signOf(e, f)).toBe(sign);
      }),
    );
    const shortest = String.raw`\x`;
    expect(signOf(read('bytea', shortest), read('bytea', String.raw`\x00`))).toBe(-1);
  });

  it.each([
    ['integer', ['', '-', '1.5', '1e3', 'x1', '1x', 'NaN', ' 1']],
    ['boolean', ['', 'T', 'yes', '1', 'tr']],
    [
      'uuid',
      [
        '7C1D9A52-6f0e-4d6a-9a62-5f2f4c0e8b11',
        'x7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11',
        '7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b11x',
        '7c1d9a52-6f0e-4d6a-9a62-5f2f4c0e8b1',
        '7c1d9a52-6f0e-4d6a-5f2f4c0e8b11',
        '7c1d9a526f0e4d6a9a625f2f4c0e8b11',
      ],
    ],
    ['bytea', ['', 'x00', String.raw`\x0`, String.raw`\xAB`, String.raw`a\x00`, String.raw`\x00g`]],
    ['date', ['', '10000-01-01', '0044-03-15 BC', 'x2024-01-01', '2024-1-01', '--infinity']],
    ['date', ['2024-01-01x', '+infinity', 'infinityx', '2024-01-01 00:00:00']],
    [
      'timestamp without time zone',
      [
        '2024-01-01',
        '2024-01-01 00:00:00+00',
        '2024-01-01 00:00:00.',
        '2024-01-01 00:00:00.1234567',
        '2024-01-01 00:00:00 BC',
        'x2024-01-01 00:00:00',
        '2024-01-01T00:00:00',
        '12024-01-01 00:00:00',
      ],
    ],
    [
      'timestamp with time zone',
      [
        '2024-01-01 00:00:00',
        '2024-01-01 00:00:00+01',
        '2024-01-01 00:00:00+00 BC',
        'infinity+00',
        'x2024-01-01 00:00:00+00',
      ],
    ],
  ])('of type %s are not read in other forms, such as %j', (type, texts) => {
    for (const text of texts) expect([text, read(type, text)]).toEqual([text, undefined]);
  });

  it('have the same order whatever the size of their type', () => {
    for (const type of ['timestamp(3) without time zone', 'timestamp(0) without time zone'])
      expect(read(type, '2024-01-01 00:00:00')).toBe('2024-01-01 00:00:00');
    expect(read('timestamp(12) with time zone', 'infinity')).toBe('infinity');
  });

  it.each(['', 'text', 'numeric', 'double precision', 'interval', 'character(3)', 'x integer'])(
    'of type %j have no order that is the same in Node',
    (type) => {
      expect(valueReaderOf(type)).toBeUndefined();
    },
  );
});
