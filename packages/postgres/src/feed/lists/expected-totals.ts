import type { CountOutcome } from '@proj/engine/following';

import { differenceOf, type FilteredTotal, type FilteredTotals } from './filtered-totals.ts';
import type { CountBatch } from './list-counts.ts';
import type { RowFilter } from './row-filter.ts';
import { type FoundTwice, NOTHING } from './touched-rows.ts';

/**
 * Totals of lists that are being counted. They move with the base from before the count, which may
 * take longer than rows can be compared with the same base.
 */
export class ExpectedTotals {
  readonly #totals: FilteredTotals;
  readonly #expected: ReadonlyMap<string, FilteredTotal>;

  /** @param found where the base differs from the snapshot in which they are counted */
  constructor(totals: FilteredTotals, filters: readonly RowFilter[], found: readonly FoundTwice[]) {
    this.#totals = totals;
    this.#expected = new Map(
      filters.map((filter, place) => [
        filter.name,
        totals.expect(filter, -differenceOf(found[place] ?? NOTHING)),
      ]),
    );
  }

  /** Counts them. Keeps none where that took less than so many milliseconds, or failed. */
  async learn(
    count: () => ReturnType<CountBatch['count']>,
    leastMs: number,
  ): Promise<CountOutcome> {
    const expected = [...this.#expected.values()];
    try {
      const { counts, tookMs } = await count();
      if (tookMs < leastMs) return 'refused';
      const learned = [...counts].map(([{ name }, total]) => {
        const one = this.#expected.get(name);
        return one !== undefined && this.#totals.learn(one, total);
      });
      return learned.every(Boolean) ? 'known' : 'late';
    } finally {
      for (const { isCounted, filter } of expected) if (!isCounted) this.#totals.drop(filter);
    }
  }
}
