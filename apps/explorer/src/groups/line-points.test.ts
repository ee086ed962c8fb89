import { expect, it } from 'vitest';

import { lineThrough } from './line-points.ts';

const pointAt = (value: number, at: number) => ({ at, value });

it('a line has its corners in the order of time, at the distances of the times', () => {
  const points = [
    { at: 30, value: 10 },
    { at: 10, value: 0 },
    { at: 15, value: 5 },
  ];
  expect(lineThrough(points)).toEqual({ points: '0,1 0.25,0.5 1,0', zero: 1 });
});

it('a line has room for 0 where all values are above or below it', () => {
  expect(lineThrough([8, 4].map(pointAt))).toEqual({ points: '0,0 1,0.5', zero: 1 });
  expect(lineThrough([-4, -8].map(pointAt))).toEqual({ points: '0,0.5 1,1', zero: 0 });
  expect(lineThrough([0, 0].map(pointAt))).toEqual({ points: '0,1 1,1', zero: 1 });
});

it('there is no line through one time', () => {
  expect(lineThrough([])).toBeUndefined();
  expect(lineThrough([{ at: 5, value: 1 }])).toBeUndefined();
});
