import { describe, expect, test } from 'vitest';

import { pageRange, pageSequence } from './page-sequence.ts';
import type { Scenario } from '../scenarios.ts';

const SCENARIO: Scenario = {
  database: 'sqlite',
  rows: 1_000_000,
  depth: 'middle',
  size: 10,
  pattern: 'varied',
  writesPerSecond: 0,
};

describe('the pages of a scenario', () => {
  test.for<[Partial<Scenario>, from: number, to: number]>([
    [{ depth: 'first' }, 1, 100],
    [{ depth: 'middle' }, 49_000, 51_000],
    [{ depth: 'last' }, 99_901, 100_000],
    [{ depth: 'first', pattern: 'repeated' }, 1, 1],
    [{ depth: 'middle', pattern: 'repeated' }, 50_000, 50_000],
    [{ depth: 'last', pattern: 'repeated' }, 100_000, 100_000],
    [{ depth: 'first', pattern: 'distinct' }, 1, 20_000],
    [{ depth: 'middle', rows: 1000 }, 1, 100],
    [{ depth: 'last', rows: 105 }, 1, 11],
    [{ depth: 'last', rows: 5, pattern: 'repeated' }, 1, 1],
  ])('of %o are those from %i to %i', ([change, from, to]) => {
    expect(pageRange({ ...SCENARIO, ...change })).toEqual({ from, to });
  });

  test('are met once each in all turns together where they are distinct', () => {
    const turns = [0, 1, 2].map((number) =>
      pageSequence({ ...SCENARIO, depth: 'first', pattern: 'distinct' }, { number, of: 3 }),
    );
    const pages = turns.flat();
    expect(pages).toHaveLength(19_998);
    expect(new Set(pages).size).toBe(19_998);
    expect(turns[0]).toHaveLength(6666);
    expect(turns[0]).not.toEqual(turns[0]?.toSorted((a, b) => a - b));
  });

  test('stay within the range where they vary, and reach both of its halves', () => {
    const pages = pageSequence(SCENARIO);
    expect(pages.every((page) => page >= 49_000 && page <= 51_000)).toBe(true);
    const low = pages.filter((page) => page < 50_000).length / pages.length;
    expect(low).toBeGreaterThan(0.45);
    expect(low).toBeLessThan(0.55);
  });

  test('are the same in every run', () => {
    expect(pageSequence(SCENARIO)).toEqual(pageSequence({ ...SCENARIO }));
  });
});
