import { expect, it } from 'vitest';

import { distributionOf } from './distribution.ts';

it('a distribution takes each figure from the values by nearest rank', () => {
  const oneToHundred = Array.from({ length: 100 }, (_none, index) => 100 - index);

  expect(distributionOf(oneToHundred)).toEqual({ median: 50, p95: 95, max: 100 });
});

it('a distribution orders values as numbers, not as texts', () => {
  expect(distributionOf([10, 9, 1])).toEqual({ median: 9, p95: 10, max: 10 });
});

it('a distribution of no values is 0', () => {
  expect(distributionOf([])).toEqual({ median: 0, p95: 0, max: 0 });
});
