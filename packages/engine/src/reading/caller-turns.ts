/**
 * What callers wait for, by keys. Callers take turns, however much one of them asks for; of each of
 * them, what was asked for last is first.
 */
export class CallerTurns<Item> {
  readonly #most: number;
  /** The items of each caller, oldest first; the callers in the order of their turns. */
  readonly #queues = new Map<string, Map<string, Item>>();

  /** @param most so many items wait at once; then the caller who has the most loses the oldest */
  constructor(most: number) {
    this.#most = most;
  }

  /** Adds an item for a caller, in place of what the caller has by this key. */
  add(caller: string, key: string, item: Item): void {
    const queue = this.#queues.get(caller) ?? new Map<string, Item>();
    this.#queues.set(caller, queue);
    queue.delete(key);
    queue.set(key, item);
    if (this.#size > this.#most) this.#dropOne();
  }

  /** What somebody waits for by a key. */
  get(key: string): Item | undefined {
    const queue = [...this.#queues.values()].find((one) => one.has(key));
    return queue?.get(key);
  }

  /** Takes out what is waited for by a key. It was the turn of all who have waited for it. */
  delete(key: string): void {
    for (const [caller, queue] of this.#queues) {
      if (!queue.delete(key)) continue;
      this.#queues.delete(caller);
      if (queue.size > 0) this.#queues.set(caller, queue);
    }
  }

  /** All items as their turns come. */
  inOrder(): Item[] {
    const queues = [...this.#queues.values()].map((queue) => [...queue.values()].toReversed());
    const rounds = Math.max(0, ...queues.map(({ length }) => length));
    const items = Array.from({ length: rounds }, (_, round) =>
      queues.flatMap((queue) => queue.slice(round, round + 1)),
    );
    return [...new Set(items.flat())];
  }

  get #size(): number {
    return [...this.#queues.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Of callers who have as much, it is the last in turn who loses. */
  #dropOne(): void {
    const [caller, queue] = [...this.#queues].reduce((most, one) =>
      one[1].size >= most[1].size ? one : most,
    );
    const [oldest = ''] = queue.keys();
    queue.delete(oldest);
    if (queue.size === 0) this.#queues.delete(caller);
  }
}
