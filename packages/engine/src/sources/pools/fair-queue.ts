import type { Callers } from '../read-call.ts';

export interface Taken<Item> {
  readonly item: Item;
  readonly caller: string;
}

/** Callers take turns, however many items each has; a shared item takes the first turn. */
export class FairQueue<Item> {
  readonly #queues = new Map<string, Set<Item>>();
  readonly #items = new Map<Item, { readonly callers: Callers; readonly end: () => void }>();

  get size(): number {
    return this.#items.size;
  }

  add(item: Item, callers: Callers): void {
    const add = (caller: string): void => {
      const queue = this.#queues.get(caller) ?? new Set();
      this.#queues.set(caller, queue.add(item));
    };
    for (const caller of callers) add(caller);
    this.#items.set(item, { callers, end: callers.onJoin(add) });
  }

  delete(item: Item): void {
    const known = this.#items.get(item);
    if (known === undefined) return;
    known.end();
    this.#items.delete(item);
    for (const caller of known.callers) {
      const queue = this.#queues.get(caller);
      queue?.delete(item);
      if (queue?.size === 0) this.#queues.delete(caller);
    }
  }

  take(mayServe: (caller: string) => boolean): Taken<Item> | undefined {
    for (const [caller, [item]] of this.#queues) {
      if (item === undefined || !mayServe(caller)) continue;
      this.delete(item);
      const queue = this.#queues.get(caller);
      this.#queues.delete(caller);
      if (queue !== undefined) this.#queues.set(caller, queue);
      return { item, caller };
    }
    return undefined;
  }

  longest(): Taken<Item> | undefined {
    let [longest] = this.#queues;
    for (const queue of this.#queues) if (queue[1].size > (longest?.[1].size ?? 0)) longest = queue;
    const item = longest && [...longest[1]].at(-1);
    return longest === undefined || item === undefined ? undefined : { item, caller: longest[0] };
  }

  sizeOf(caller: string): number {
    return this.#queues.get(caller)?.size ?? 0;
  }

  *[Symbol.iterator](): Iterator<Item> {
    yield* this.#items.keys();
  }
}
