/** The caller of queries that name none. */
export const NOBODY = '';

/** One of those for whom something is read: the first one, where others have joined. */
export function firstCaller({ callers }: { readonly callers?: Callers | undefined }): string {
  const [first = NOBODY] = callers ?? [];
  return first;
}

/**
 * The callers for whom something is read. A caller who waits for a read of another caller joins it;
 * the read then gets a connection as soon as it is the turn of any of them. So a caller who shares
 * the read of one with many queries does not wait for all of these.
 */
export class Callers {
  readonly #all: Set<string>;
  readonly #listeners = new Set<(caller: string) => void>();

  /** @param callers opaque; all queries that name no caller count as those of one caller */
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
