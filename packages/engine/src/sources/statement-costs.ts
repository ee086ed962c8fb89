import { hash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { PageRange } from '../sql/query-statements.ts';

/**
 * A statement that holds a connection for so long, in milliseconds, is slow: many times what a page
 * takes that an index leads to.
 */
export const SLOW_MS = 100;

/** Fewer slow runs in a row may be bad luck: a cold cache, a busy machine. */
export const SLOW_RUNS = 5;

/** Shapes of statements that are remembered, each by a hash of 22 characters. */
const MOST_SHAPES = 10_000;

/** The shape of statements that read a whole relation, however long it is. */
export const WHOLE_RELATION = 'whole relation';

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

  record(shape: string, slow: boolean): void {
    if (slow) this.#slowRuns.set(shape, (this.#slowRuns.get(shape) ?? 0) + 1);
    else this.#slowRuns.delete(shape);
  }
}

/**
 * The shape of a statement. Its cost grows with the rows that it passes over, so pages in the same
 * power of two are alike.
 */
export function shapeOf(sql: string, { size, offset }: PageRange): string {
  const depth = (offset + BigInt(size)).toString(2).length;
  return `${hash('sha256', sql, 'base64url').slice(0, 22)} ${depth}`;
}
