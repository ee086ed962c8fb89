import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  addScaled,
  averageOf,
  decimalDigits,
  printScaled,
  readScaled,
  shortestDigits,
  trimScaled,
} from './decimals.ts';

/** A ratio of bigints, which compares two decimal numbers without rounding. */
interface Ratio {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** `-1.5e-7` → −15 / 10^8. */
function ratioOf(text: string): Ratio {
  const {
    sign,
    whole = '',
    fraction = '',
    exponent = '0',
  } = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:e(?<exponent>[+-]\d+))?$/.exec(text)
    ?.groups ?? {};
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const power = Number(exponent) - fraction.length;
  return power >= 0
    ? { top: digits * 10n ** BigInt(power), bottom: 1n }
    : { top: digits, bottom: 10n ** BigInt(-power) };
}

function areEqual(a: Ratio, b: Ratio): boolean {
  return a.top * b.bottom === b.top * a.bottom;
}

const finite = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(
    5e-324,
    2.2250738585072014e-308,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
    1e21,
    1e-7,
    123456789012345680000,
    1.5e300,
  ),
);

describe('the decimal digits of a double', () => {
  it('write out the digits that JavaScript prints, for every number that is not whole', () => {
    fc.assert(
      fc.property(
        finite.filter((value) => !Number.isInteger(value)),
        (value) => {
          const digits = decimalDigits(value);
          expect(digits).toMatch(/^-?\d+(\.\d+)?$/);
          expect(areEqual(ratioOf(digits), ratioOf(String(value)))).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('are exact for every whole number', () => {
    fc.assert(
      fc.property(
        finite.map((value) => Math.trunc(value)),
        (value) => {
          expect(decimalDigits(value)).toBe(String(BigInt(value)));
        },
      ),
    );
  });

  it('read back to the same number', () => {
    fc.assert(
      fc.property(finite, (value) => {
        expect(Number(decimalDigits(value)) === value).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('have no zeros that say nothing', () => {
    fc.assert(
      fc.property(finite, (value) => {
        expect(decimalDigits(value)).not.toMatch(/^-?0\d|\.\d*0$/);
      }),
    );
  });

  it.each([
    [0.1, '0.1'],
    [1.5e-7, '0.00000015'],
    [-1.5e-7, '-0.00000015'],
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
    [2 ** 64, '18446744073709551616'],
    [1e23, '99999999999999991611392'],
    [100, '100'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
  ])('of %d are %s', (value, digits) => {
    expect(decimalDigits(value)).toBe(digits);
  });

  it('of the smallest number have 323 zeros after the point', () => {
    expect(decimalDigits(5e-324)).toBe(`0.${'0'.repeat(323)}5`);
  });
});

it.each([
  [1e23, `1${'0'.repeat(23)}`],
  [-1.25e22, `-125${'0'.repeat(20)}`],
  [2 ** 64, '18446744073709552000'],
  [1.5e-7, '0.00000015'],
  [0.1, '0.1'],
  [-0, '0'],
  [Infinity, 'Infinity'],
  [NaN, 'NaN'],
])('the fewest digits that read back to %d are %s', (value, digits) => {
  expect(shortestDigits(value)).toBe(digits);
});

const read = (text: string) => readScaled(text) ?? { units: 0n, scale: 0 };

it.each(['0', '12.50', '-0.001', '-7', '123456789012345678901234567890.5'])(
  'the decimal %s is read and printed without loss',
  (text) => {
    expect(printScaled(read(text))).toBe(text);
  },
);

it.each(['', 'NaN', '1e3', '.5', '1.', ' 1', '--1'])('the text %j is no decimal', (text) => {
  expect(readScaled(text)).toBeUndefined();
});

it('sums are exact', () => {
  const numbers = ['0.1', '0.2', '-0.30', '9223372036854775807', '9223372036854775807'];
  expect(printScaled(addScaled(numbers.map(read)))).toBe('18446744073709551614.00');
  expect(printScaled(addScaled([]))).toBe('0');
});

it.each([
  ['10', 4n, '2.5'],
  ['10', 3n, '3.3333333333333333'],
  ['20', 3n, '6.6666666666666667'],
  ['-20', 3n, '-6.6666666666666667'],
  ['0.00000000000000000001', 1n, '0.00000000000000000001'],
  ['0', 3n, '0'],
] as const)('the average of %s over %s is %s', (sum, count, average) => {
  expect(printScaled(trimScaled(averageOf(read(sum), count)))).toBe(average);
});
