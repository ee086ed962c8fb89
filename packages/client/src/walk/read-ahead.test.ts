import { expect, it } from 'vitest';

import { collect } from '../../test/collect.ts';
import { createPage, type Page } from './page.ts';
import { readAhead } from './read-ahead.ts';

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
