/** Waiting items by key. Callers take turns; each caller's newest item comes first. */
export class CallerTurns<Item> {
  readonly #most: number;
  readonly #queues = new Map<string, Map<string, Item>>();

  /** @param most beyond these, the largest caller loses its oldest */
  constructor(most: number) {
    this.#most = most;
  }

  add(caller: string, key: string, item: Item): void {
    const queue = this.#queues.get(caller) ?? new Map<string, Item>();
    this.#queues.set(caller, queue);
    queue.delete(key);
    queue.set(key, item);
    const size = [...this.#queues.values()].reduce((sum, one) => sum + one.size, 0);
    if (size > this.#most) this.#dropOne();
  }

  get(key: string): Item | undefined {
    const queue = [...this.#queues.values()].find((one) => one.has(key));
    return queue?.get(key);
  }

  delete(key: string): void {
    for (const [caller, queue] of this.#queues) {
      if (!queue.delete(key)) continue;
      this.#queues.delete(caller);
      if (queue.size > 0) this.#queues.set(caller, queue);
    }
  }

  inOrder(): Item[] {
    const queues = [...this.#queues.values()].map((queue) => [...queue.values()].toReversed());
    const rounds = Math.max(0, ...queues.map(({ length }) => length));
    const items = Array.from({ length: rounds }, (_, round) =>
      queues.flatMap((queue) => queue.slice(round, round + 1)),
    );
    return [...new Set(items.flat())];
  }

  /** Of equally large callers, the last in turn loses. */
  #dropOne(): void {
    const [caller, queue] = [...this.#queues].reduce((most, one) =>
      one[1].size >= most[1].size ? one : most,
    );
    const [oldest = ''] = queue.keys();
    queue.delete(oldest);
    if (queue.size === 0) this.#queues.delete(caller);
  }
}
