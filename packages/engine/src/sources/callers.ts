/** The caller of queries that name none. */
export const NOBODY = '';

export function firstCaller({ callers }: { readonly callers?: Callers | undefined }): string {
  const [first = NOBODY] = callers ?? [];
  return first;
}

/** A shared read takes the turn of whichever caller comes first. */
export class Callers {
  readonly #all: Set<string>;
  readonly #listeners = new Set<(caller: string) => void>();

  /** @param callers opaque; queries without one count as those of one caller */
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
