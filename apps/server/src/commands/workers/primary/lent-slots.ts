import { Tally } from '@proj/fastify/host';

/** Query slots lent to workers, by token. A worker that ends returns all. */
export class LentSlots {
  readonly #byWorker = new Map<number, Tally>();
  readonly #lent = new Tally();

  /** @param pool slots of the token for all workers together */
  borrow(worker: number, token: string, pool: number): { granted: boolean; lent: number } {
    const lent = this.#lent.of(token);
    if (lent >= pool) return { granted: false, lent };
    const held = this.#byWorker.get(worker) ?? new Tally();
    this.#byWorker.set(worker, held);
    held.add(token);
    this.#lent.add(token);
    return { granted: true, lent: lent + 1 };
  }

  giveBack(worker: number, token: string): void {
    this.#byWorker.get(worker)?.add(token, -1);
    this.#lent.add(token, -1);
  }

  workerEnded(worker: number): void {
    for (const [token, slots] of this.#byWorker.get(worker)?.entries() ?? [])
      this.#lent.add(token, -slots);
    this.#byWorker.delete(worker);
  }
}
