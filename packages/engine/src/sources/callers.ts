/** The caller of queries that name none. */
export const NOBODY = '';

/**
 * For whom something is read. Whoever waits for another caller's reading joins its callers, so that
 * it is served in the turn of any of them: a caller with a long queue holds up nobody who wants the
 * same.
 */
export class Callers {
  readonly #all: Set<string>;
  readonly #listeners = new Set<(caller: string) => void>();

  /** @param caller opaque; queries without one are all of the same caller */
  constructor(...callers: readonly (string | undefined)[]) {
    this.#all = new Set(callers.map((caller = NOBODY) => caller));
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.#all.values();
  }

  join(others: Callers): void {
    for (const caller of others) {
      if (this.#all.has(caller)) continue;
      this.#all.add(caller);
      for (const listener of this.#listeners) listener(caller);
    }
  }

  /** Calls back for each caller that joins, until the function that it returns is called. */
  onJoin(listener: (caller: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
