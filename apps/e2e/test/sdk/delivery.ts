import { NUMBERS } from './numbered-table.ts';

/** What became of the rows that a walk had to deliver once each. */
export interface Delivery {
  /** Rows that stayed throughout and did not come. */
  readonly lost: readonly number[];
  /** Rows that came more than once. */
  readonly repeated: readonly number[];
  /** Rows that came and never were. */
  readonly invented: readonly number[];
}

/**
 * Compares what a walk delivered with what was there at the start, and what others did meanwhile.
 */
export function judge(
  delivered: readonly number[],
  inserted: ReadonlySet<number>,
  deleted: ReadonlySet<number>,
): Delivery {
  const seen = new Set<number>();
  const repeated = delivered.filter((n) => seen.size === seen.add(n).size);
  const atStart = new Set(NUMBERS);
  return {
    lost: NUMBERS.filter((n) => !deleted.has(n) && !seen.has(n)),
    repeated,
    invented: delivered.filter((n) => !atStart.has(n) && !inserted.has(n)),
  };
}
