/** Per statement. */
const MOST_LISTS = 64;

/** A count this slow gets no more lists at a time. */
const LONGEST_MS = 1000;

/** Without an index, counting many lists takes little longer than one: start with one, and grow. */
export class CountBatch {
  #size = 1;
  #eachMs = Infinity;

  get size(): number {
    return this.#size;
  }

  note(lists: number, ms: number): void {
    const isFull = lists >= this.#size;
    const [beforeMs, eachMs] = [this.#eachMs, ms / lists];
    if (isFull) this.#eachMs = eachMs;
    if (ms >= LONGEST_MS || eachMs > beforeMs) this.#size = Math.ceil(this.#size / 2);
    else if (isFull) this.#size = Math.min(2 * this.#size, MOST_LISTS);
  }
}
