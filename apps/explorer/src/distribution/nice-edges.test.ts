import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { niceEdges } from './nice-edges.ts';

it.each([
  [0, 9, { cuts: [1, 2, 3, 4, 5, 6, 7, 8], grows: false }],
  [-90, 90, { cuts: [-80, -60, -40, -20, 0, 20, 40, 60, 80], grows: false }],
  [0, 0.3, { cuts: [0.05, 0.1, 0.15, 0.2, 0.25], grows: false }],
  [1, 22_315_474, { cuts: [10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000], grows: true }],
  [0.001, 50_000, { cuts: [0.01, 0.1, 1, 10, 100, 1000, 10_000], grows: true }],
  [
    100_000,
    22_315_474,
    {
      cuts: [200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000],
      grows: true,
    },
  ],
  [5, 5, { cuts: [], grows: false }],
  [-Infinity, 5, { cuts: [], grows: false }],
  [Number.NaN, 5, { cuts: [], grows: false }],
])('cuts %d to %d well', (smallest, largest, edges) => {
  expect(niceEdges(smallest, largest)).toEqual(edges);
});

it('makes at most ten ranges, with ascending cuts inside the span', () => {
  const number = fc.double({ min: -1e15, max: 1e15, noNaN: true });
  fc.assert(
    fc.property(number, number, (smallest, largest) => {
      const { cuts } = niceEdges(smallest, largest);
      expect(cuts.length).toBeLessThan(10);
      for (const [index, cut] of cuts.entries()) {
        expect(cut).toBeGreaterThan(cuts[index - 1] ?? -Infinity);
      }
    }),
  );
});
