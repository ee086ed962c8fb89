import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { floatDivisor } from './bounds.ts';

const rangeTo = (end: number) => ({ min: String(-end), max: String(end) });

it('numbers of a usual size are added as they are', () => {
  expect(floatDivisor(undefined)).toBe(1);
  expect(floatDivisor({ min: '-7', max: '1e292' })).toBe(1);
  expect(floatDivisor({ min: '-1e292', max: '7' })).toBe(1);
});

it.each([
  { min: '0', max: '1.0000000000000004e292' },
  { min: '-1e293', max: '0' },
])('numbers from $min to $max are divided before they are added', (range) => {
  expect(floatDivisor(range)).toBe(2 ** 64);
});

it('the divided sum of 2^53 numbers is finite, and a large number keeps all of its digits', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e200, max: Number.MAX_VALUE, noNaN: true }), (largest) => {
      const divisor = floatDivisor(rangeTo(largest));
      expect((largest / divisor) * 2 ** 53).toBeLessThan(Infinity);
      expect((largest / divisor) * divisor).toBe(largest);
    }),
  );
});
