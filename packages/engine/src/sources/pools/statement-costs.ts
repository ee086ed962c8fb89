import { LRUCache } from 'lru-cache';

import { WHOLE_RELATION } from '../statement-shape.ts';

/** In milliseconds: many times what a page takes with an index. */
export const SLOW_MS = 100;

/** Fewer slow runs in a row may be bad luck: a cold cache, a busy machine. */
export const SLOW_RUNS = 5;

/** Each is a hash of 22 characters. */
const MOST_SHAPES = 10_000;

/** How long statements took lately, by shape: text without values, and depth in the list. */
export class StatementCosts {
  readonly #slowRuns = new LRUCache<string, number>({ max: MOST_SHAPES });

  isSlow(shape: string | undefined): boolean {
    if (shape === undefined || shape === WHOLE_RELATION) return shape !== undefined;
    return (this.#slowRuns.get(shape) ?? 0) >= SLOW_RUNS;
  }

  /** Begins a run and returns its end. A run counts as slow while it runs, so no more follow it. */
  measure(shape: string): () => void {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.#record(shape, true);
    }, SLOW_MS);
    return () => {
      clearTimeout(timer);
      if (!isSlow) this.#record(shape, false);
    };
  }

  #record(shape: string, slow: boolean): void {
    if (slow) this.#slowRuns.set(shape, (this.#slowRuns.get(shape) ?? 0) + 1);
    else this.#slowRuns.delete(shape);
  }
}
