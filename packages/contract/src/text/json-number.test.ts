import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { canonicalNumber } from './json-number.ts';

it.each([
  ['0', '0'],
  ['-0.00e5', '0'],
  ['1', '1e0'],
  ['1.0', '1e0'],
  ['100e-2', '1e0'],
  ['-12.50', '-125e-1'],
  ['9007199254740993', '9007199254740993e0'],
  ['0.1000000000000000055', '1000000000000000055e-19'],
  ['1E+3', '1e3'],
  ['01', undefined],
  ['.5', undefined],
  ['5.', undefined],
  ['NaN', undefined],
  ['+1', undefined],
  ['1 ', undefined],
])('the canonical text of %s is %s', (text, canonical) => {
  expect(canonicalNumber(text)).toBe(canonical);
});

it('the canonical texts of two numbers are equal exactly if the numbers are', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(number, number, (one, other) => {
      const [a, b] = [String(one), other.toExponential()].map(canonicalNumber);
      expect(a === b).toBe(one === other);
      expect(Number(a)).toBe(one + 0);
      expect(canonicalNumber(one.toExponential())).toBe(a);
    }),
  );
});

it('reads a long number in a time that grows with its length', () => {
  // In steps that grow with the square of it, a megabyte would take many minutes.
  const zeros = '0'.repeat(2 ** 20);
  expect(canonicalNumber(`1${zeros}1`)).toBe(`1${zeros}1e0`);
  expect(canonicalNumber(`0.1${zeros}10`)).toBe(`1${zeros}1e-${2 ** 20 + 2}`);
});
