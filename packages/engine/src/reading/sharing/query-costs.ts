import type { Cache, CacheStore } from '../../cache-store.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { PageRows } from '../../sources/source.ts';

/** In milliseconds. Slower pages are worth sharing their count. */
const EXPENSIVE_MS = 10;

const COST_BYTES = 50;

interface Cost {
  readonly pageWithTotalMs?: number;
  /** Whether rows took longer than the count, for most of the last batch. */
  readonly slowRows?: boolean;
}

/** Recent read times, by total: queries that differ in order or attributes share them. */
export class QueryCosts {
  readonly #costs: Cache<Cost>;

  constructor(store: CacheStore) {
    this.#costs = store.cache('cost ', { sizeOf: () => COST_BYTES });
  }

  isExpensive({ totalKey }: PreparedQuery): boolean {
    return (this.#costs.get(totalKey)?.pageWithTotalMs ?? Infinity) > EXPENSIVE_MS;
  }

  hasSlowRows({ totalKey }: PreparedQuery): boolean {
    return this.#costs.get(totalKey)?.slowRows === true;
  }

  notePage(query: PreparedQuery, pageWithTotalMs: number): void {
    this.#note(query, { pageWithTotalMs });
  }

  noteBatch(query: PreparedQuery, pages: readonly Pick<PageRows, 'milliseconds'>[]): void {
    const slow = pages.filter(({ milliseconds: { rows, count } }) => rows > count);
    this.#note(query, { slowRows: slow.length * 2 > pages.length });
  }

  #note({ totalKey }: PreparedQuery, cost: Cost): void {
    this.#costs.set(totalKey, { ...this.#costs.peek(totalKey), ...cost });
  }
}
