import { LRUCache } from 'lru-cache';

import { WHOLE_RELATION } from '../statement-shape.ts';

/**
 * A statement that holds a connection for so long, in milliseconds, is slow: many times what a page
 * takes that an index leads to.
 */
export const SLOW_MS = 100;

/** Fewer slow runs in a row may be bad luck: a cold cache, a busy machine. */
export const SLOW_RUNS = 5;

/** Shapes of statements that are remembered, each by a hash of 22 characters. */
const MOST_SHAPES = 10_000;

/**
 * How long statements took lately, by their shape: their text without its values, and how far into
 * the list they read.
 */
export class StatementCosts {
  /** How many runs in a row were slow. */
  readonly #slowRuns = new LRUCache<string, number>({ max: MOST_SHAPES });

  isSlow(shape: string | undefined): boolean {
    if (shape === undefined || shape === WHOLE_RELATION) return shape !== undefined;
    return (this.#slowRuns.get(shape) ?? 0) >= SLOW_RUNS;
  }

  /**
   * Begins a run; its end is reported by the function that is returned. A statement is known to be
   * slow while it still runs, so that no more of its shape follow it.
   */
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
