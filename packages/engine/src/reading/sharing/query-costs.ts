import type { Cache, CacheStore } from '../../cache-store.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { PageRows } from '../../sources/source.ts';

/** A page with its total that took longer, in milliseconds, is worth sharing its count. */
const EXPENSIVE_MS = 10;

const COST_BYTES = 50;

/** What is known of the cost of a query's pages. */
interface Cost {
  /** How long the last page with its total took, in milliseconds. */
  readonly pageWithTotalMs?: number;
  /** Whether the rows of most pages of the last batch took longer than their count. */
  readonly slowRows?: boolean;
}

/**
 * How long reading pages took lately, kept for each total: queries that differ only in order or
 * attributes share it.
 */
export class QueryCosts {
  readonly #costs: Cache<Cost>;

  constructor(store: CacheStore) {
    this.#costs = store.cache('cost ', { sizeOf: () => COST_BYTES });
  }

  /** Whether a page with its total takes long, or was never read. */
  isExpensive({ totalKey }: PreparedQuery): boolean {
    return (this.#costs.get(totalKey)?.pageWithTotalMs ?? Infinity) > EXPENSIVE_MS;
  }

  /** Whether the rows of pages take longer than the count. */
  hasSlowRows({ totalKey }: PreparedQuery): boolean {
    return this.#costs.get(totalKey)?.slowRows === true;
  }

  /** Notes how long one page with its total took. */
  notePage(query: PreparedQuery, pageWithTotalMs: number): void {
    this.#note(query, { pageWithTotalMs });
  }

  /** Notes how long the rows of pages took that had one count. */
  noteBatch(query: PreparedQuery, pages: readonly Pick<PageRows, 'milliseconds'>[]): void {
    const slow = pages.filter(({ milliseconds: { rows, count } }) => rows > count);
    this.#note(query, { slowRows: slow.length * 2 > pages.length });
  }

  #note({ totalKey }: PreparedQuery, cost: Cost): void {
    this.#costs.set(totalKey, { ...this.#costs.peek(totalKey), ...cost });
  }
}
