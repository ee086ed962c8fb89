import { expect, it } from 'vitest';

import { CountBatch } from './list-counts.ts';

/** The sizes of batches that take as long as the function says. */
function sizesOf(msOf: (lists: number) => number, batches = 8): number[] {
  const batch = new CountBatch();
  return Array.from({ length: batches }, () => {
    const { size } = batch;
    batch.note(size, msOf(size));
    return size;
  });
}

it('counts more lists at a time while each takes less time for that', () => {
  expect(sizesOf((lists) => 10 + lists)).toEqual([1, 2, 4, 8, 16, 32, 64, 64]);
});

it('counts fewer lists at a time where each takes more time for that', () => {
  expect(sizesOf((lists) => lists * lists, 5)).toEqual([1, 2, 1, 2, 1]);
});

it('counts so many lists at a time that it takes about a second', () => {
  expect(sizesOf((lists) => 500 + 100 * lists, 5)).toEqual([1, 2, 4, 8, 4]);
});

it('counts as many lists at a time as before when only a few were waiting', () => {
  const batch = new CountBatch();
  for (const ms of [10, 12, 14]) batch.note(batch.size, ms);
  batch.note(3, 4);
  expect(batch.size).toBe(8);
});
