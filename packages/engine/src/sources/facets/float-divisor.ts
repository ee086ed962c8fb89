import type { Range } from './bounds.ts';

/** The sum of so many numbers that are smaller is no infinity. */
const LARGEST = 1e292;

/** A power of two leaves all digits of a number as they are. */
const DIVISOR = 2 ** 64;

/** By what doubles are divided before they are added, lest a server fail for an infinite sum. */
export function floatDivisor(range: Range | undefined): number {
  if (range === undefined) return 1;
  const largest = Math.max(...[range.min, range.max].map((end) => Math.abs(Number(end))));
  return largest > LARGEST ? DIVISOR : 1;
}
