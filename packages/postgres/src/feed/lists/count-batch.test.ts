import { expect, it, onTestFinished, vi } from 'vitest';

import type { Row } from '../../connection/connection.ts';
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

async function tenMs(): Promise<Row> {
  vi.advanceTimersByTime(10);
  return ['7'];
}

it('counts fewer lists at a time from a second on, and as many where each takes as long', () => {
  expect(sizesOf(() => 1000, 3)).toEqual([1, 1, 1]);
  expect(sizesOf((lists) => lists, 3)).toEqual([1, 2, 4]);
});

it('looks how long a count takes, and not at groups of more lists', async () => {
  vi.useFakeTimers({ toFake: ['performance'], now: 5000 });
  onTestFinished(() => void vi.useRealTimers());
  vi.advanceTimersByTime(5000);
  const batch = new CountBatch();
  expect([await batch.timed(1, tenMs), batch.size]).toEqual([{ counts: ['7'], tookMs: 10 }, 2]);
  for (const lists of [3, 2]) await batch.timed(lists, tenMs);
  expect(batch.size).toBe(4);
});

it('counts as many lists at a time as before when only a few were waiting', () => {
  const batch = new CountBatch();
  for (const ms of [10, 12, 14]) batch.note(batch.size, ms);
  batch.note(3, 4);
  expect(batch.size).toBe(8);
  batch.note(8, 16);
  expect(batch.size).toBe(16);
});
