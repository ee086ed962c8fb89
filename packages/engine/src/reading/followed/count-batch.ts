/** So many lists are counted by one statement at most. */
const MOST_LISTS = 64;

/** No more lists are counted at a time where that takes so many milliseconds already. */
const LONGEST_MS = 1000;

/**
 * How many lists of a relation that have nothing in common are counted in one go. Without an index
 * of the database each count reads all rows, and many take little longer than one; with one it may
 * be the other way round. So the first one is counted alone, and there are more as long as each
 * takes less time.
 */
export class CountBatch {
  #size = 1;
  /** How many milliseconds each list of the last batch took. */
  #eachMs = Infinity;

  get size(): number {
    return this.#size;
  }

  /** Notes how many milliseconds a batch took. */
  note(lists: number, ms: number): void {
    const isFull = lists >= this.#size;
    const [beforeMs, eachMs] = [this.#eachMs, ms / lists];
    if (isFull) this.#eachMs = eachMs;
    if (ms >= LONGEST_MS || eachMs > beforeMs) this.#size = Math.ceil(this.#size / 2);
    else if (isFull) this.#size = Math.min(2 * this.#size, MOST_LISTS);
  }
}
