import type { Range } from './bounds.ts';

/** Numbers below this can be added without reaching infinity. */
const LARGEST = 1e292;

/** A power of two leaves all digits of a number as they are. */
const DIVISOR = 2 ** 64;

/** Divides doubles before they are added, since an infinite sum fails on some servers. */
export function floatDivisor(range: Range | undefined): number {
  if (range === undefined) return 1;
  const largest = Math.max(...[range.min, range.max].map((end) => Math.abs(Number(end))));
  return largest > LARGEST ? DIVISOR : 1;
}
