/**
 * Each bucket is wider than the one before by this factor, so a quantile is off by half of it at
 * most.
 */
const GROWTH = 1.01;

/** The shortest time that is distinguished from zero, in milliseconds. */
const SHORTEST_MS = 0.001;

/**
 * Times, kept as counts in buckets, so that rounds can be put together and quantiles stay exact to
 * half a percent.
 */
export class Latencies {
  readonly #counts = new Map<number, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  record(milliseconds: number): void {
    const bucket = Math.round(
      Math.log(Math.max(milliseconds, SHORTEST_MS) / SHORTEST_MS) / Math.log(GROWTH),
    );
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
    this.#total++;
  }

  add(other: Latencies): void {
    for (const [bucket, count] of other.#counts)
      this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count);
    this.#total += other.#total;
  }

  /**
   * The time in milliseconds that this share of all does not pass; undefined where there is none.
   */
  quantile(share: number): number | undefined {
    let left = Math.max(1, Math.ceil(share * this.#total));
    for (const [bucket, count] of [...this.#counts].toSorted(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return SHORTEST_MS * GROWTH ** bucket;
    }
    return undefined;
  }
}
