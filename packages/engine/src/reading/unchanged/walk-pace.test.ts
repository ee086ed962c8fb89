import { describe, expect, it } from 'vitest';

import { MOST_ROWS, WalkPace } from './walk-pace.ts';

/** The rows of the chunks of a walk, each of which takes as long as `msOf` says. */
function rowsOf(chunks: number, msOf: (rows: number) => number): number[] {
  const pace = new WalkPace();
  return Array.from({ length: chunks }, () => {
    const { rows } = pace;
    pace.note(msOf(rows));
    return rows;
  });
}

describe('the chunks of a walk', () => {
  it('grow to 10,000 rows where they take little time', () => {
    expect(rowsOf(6, () => 1)).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(MOST_ROWS).toBe(10_000);
  });

  it('come to about 25 milliseconds each', () => {
    const rows = rowsOf(30, (count) => count / 100).at(-1) ?? 0;
    expect(rows).toBeGreaterThan(2000);
    expect(rows).toBeLessThan(4000);
  });

  it('are not smaller because the database is far away', () => {
    expect(rowsOf(10, () => 200).at(-1)).toBe(10_000);
  });

  it('have a hundred rows at least', () => {
    expect(rowsOf(20, (count) => count * 100).at(-1)).toBeGreaterThanOrEqual(100);
    const pace = new WalkPace();
    for (const ms of [1, 10_000, 10_000, 10_000]) pace.note(ms);
    expect(pace.rows).toBe(100);
  });
});
