import { setImmediate } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { collect } from '../../test/collect.ts';
import { createPage, type Page } from './page.ts';
import { readAhead } from './walk.ts';

/** A page of a list of 100 pages. */
function pageOfHundred(number: number): Page<number> {
  const answer = {
    records: [number],
    number,
    total: 100n,
    totalAtLeast: null,
    hasNext: number < 100,
    dataVersion: null,
    dataAge: null,
    isApproximate: false,
  };
  return createPage<number>(answer, {
    number,
    size: 1,
    lastKey: null,
    next: async () => null,
    at: async () => pageOfHundred(number),
  });
}

it.each([1, 2, 3, 4, 64])(
  'requests exactly as many pages as maxPages allows, %i at a time',
  async (concurrency) => {
    const requested: number[] = [];
    const read = async (number: number): Promise<Page<number>> => {
      requested.push(number);
      return pageOfHundred(number);
    };
    await collect(readAhead(read, { from: 7, concurrency, maxPages: 4 }));
    expect(requested).toEqual([7, 8, 9, 10]);
  },
);

/** Reads ahead over pages that come when the test gives them. */
function heldBack(concurrency: number) {
  const requested: number[] = [];
  const given = new Map<number, () => void>();
  const read = async (number: number): Promise<Page<number>> => {
    requested.push(number);
    return new Promise((resolve) => {
      given.set(number, () => resolve(pageOfHundred(number)));
    });
  };
  const pages = readAhead(read, { from: 1, concurrency, maxPages: Infinity });
  return { pages, requested, give: (number: number) => given.get(number)?.() };
}

it('requests the first page alone, and then as many at once as it may', async () => {
  const { pages, requested, give } = heldBack(3);
  const first = pages.next();
  await setImmediate();
  expect(requested).toEqual([1]);
  give(1);
  expect((await first).value).toMatchObject({ number: 1 });
  const second = pages.next();
  await setImmediate();
  expect(requested).toEqual([1, 2, 3, 4]);
  give(4);
  give(3);
  await setImmediate();
  expect(requested).toEqual([1, 2, 3, 4]);
  give(2);
  expect((await second).value).toMatchObject({ number: 2 });
});

it('requests nothing more while the consumer holds still', async () => {
  const { pages, requested, give } = heldBack(3);
  const first = pages.next();
  give(1);
  await first;
  await setImmediate();
  expect(requested).toEqual([1]);
  const second = pages.next();
  await setImmediate();
  for (const number of [2, 3, 4]) give(number);
  await second;
  await setImmediate();
  expect(requested).toEqual([1, 2, 3, 4]);
  expect((await pages.next()).value).toMatchObject({ number: 3 });
  expect(requested).toEqual([1, 2, 3, 4, 5]);
});
