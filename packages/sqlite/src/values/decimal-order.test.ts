import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { readScaled, unitsAt } from '../../../engine/src/decimals.ts';
import { decimalOrder } from './exact-sum.ts';

const digits = fc
  .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.nat(30))
  .map(([units, scale]) => {
    const text = String(units < 0n ? -units : units).padStart(scale + 1, '0');
    const fraction = scale === 0 ? '' : `.${text.slice(-scale)}`;
    return `${units < 0n ? '-' : ''}${text.slice(0, text.length - scale)}${fraction}`;
  });

it('texts of decimals sort as the numbers do', () => {
  fc.assert(
    fc.property(fc.oneof(digits, fc.constant('0')), digits, (a, b) => {
      const [left = 0n, right = 0n] = [a, b].map((text) => {
        const scaled = readScaled(text);
        return scaled && unitsAt(scaled, 30);
      });
      const [first, second] = [decimalOrder(a), decimalOrder(b)];
      expect(first < second).toBe(left < right);
      expect(first === second).toBe(left === right);
    }),
    { numRuns: 2000 },
  );
});

it('the infinities and NaN come at the ends', () => {
  const sorted = [
    '-Infinity',
    '-2',
    '-1.5',
    '-1',
    '-0.01',
    '0',
    '0.001',
    '1',
    '10',
    'Infinity',
    'NaN',
  ];
  expect(sorted.map(decimalOrder).toSorted()).toEqual(sorted.map(decimalOrder));
});

it('zeros at either end make no difference', () => {
  for (const same of ['1.50', '01.5', '1.5']) expect(decimalOrder(same)).toBe(decimalOrder('1.5'));
  for (const zero of ['0.00', '-0', '00']) expect(decimalOrder(zero)).toBe(decimalOrder('0'));
});

it('a long decimal is read in a time that grows with its length', () => {
  // In steps that grow with the square of it, a megabyte would take many minutes.
  const zeros = '0'.repeat(2 ** 20);
  expect(decimalOrder(`0.1${zeros}1`)).toBe(`2100001${zeros}1`);
});
