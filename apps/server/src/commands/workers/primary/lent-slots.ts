/** Slots for queries that workers have borrowed, by token. A worker that ends gives all back. */
export class LentSlots {
  readonly #byWorker = new Map<number, Map<string, number>>();
  readonly #lent = new Map<string, number>();

  /** @param pool how many slots of the token may be lent to all workers together */
  borrow(worker: number, token: string, pool: number): { granted: boolean; lent: number } {
    const lent = this.#lent.get(token) ?? 0;
    if (lent >= pool) return { granted: false, lent };
    const held = this.#byWorker.get(worker) ?? new Map<string, number>();
    this.#byWorker.set(worker, held);
    held.set(token, (held.get(token) ?? 0) + 1);
    this.#lent.set(token, lent + 1);
    return { granted: true, lent: lent + 1 };
  }

  giveBack(worker: number, token: string, slots = 1): void {
    subtract(this.#byWorker.get(worker), token, slots);
    subtract(this.#lent, token, slots);
  }

  workerEnded(worker: number): void {
    for (const [token, slots] of this.#byWorker.get(worker) ?? [])
      subtract(this.#lent, token, slots);
    this.#byWorker.delete(worker);
  }
}

function subtract(counts: Map<string, number> | undefined, token: string, slots: number): void {
  const left = (counts?.get(token) ?? 0) - slots;
  if (left > 0) counts?.set(token, left);
  else counts?.delete(token);
}
