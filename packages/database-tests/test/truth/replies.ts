/** Counts replies, and lets others wait for more of them. */
export class Replies {
  #count = 0;
  #hasEnded = false;
  readonly #waiting = new Set<{ readonly until: number; readonly goOn: () => void }>();

  get count(): number {
    return this.#count;
  }

  /** One more has come. */
  note(): void {
    this.#count += 1;
    this.#wake(this.#count);
  }

  /** Nobody waits any longer. */
  end(): void {
    this.#hasEnded = true;
    this.#wake(Infinity);
  }

  /** Waits until so many more have come, or until the end. */
  more(count: number): Promise<void> {
    return this.reach(this.#count + count);
  }

  /** Waits until so many have come, or until the end. */
  reach(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#hasEnded || count <= this.#count) resolve();
    else this.#waiting.add({ until: count, goOn: resolve });
    return promise;
  }

  #wake(count: number): void {
    for (const waiting of this.#waiting) {
      if (waiting.until > count) continue;
      this.#waiting.delete(waiting);
      waiting.goOn();
    }
  }
}
