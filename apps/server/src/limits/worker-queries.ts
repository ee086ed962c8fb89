import { concurrencyState } from './counts/rate-limit-state.ts';
import { FREE, once, RunningQueries, type Slot } from './running-queries.ts';
import type { ServiceCounts } from './counts/service-counts.ts';

/** Workers have slots of their own if the limit is at least this number for each worker. */
const LARGE = 32;

/**
 * The queries that run in one of several workers, by token. Of a large limit the workers have one
 * half as slots of their own, in equal parts; the other half, and all of a small limit, is a pool
 * out of which they borrow. All workers together never run more than the limit.
 */
export class WorkerQueries {
  readonly #counts: ServiceCounts;
  readonly #own = new RunningQueries();

  constructor(counts: ServiceCounts) {
    this.#counts = counts;
  }

  acquire(token: string, limit: number | 'unlimited'): Slot | Promise<Slot> {
    if (limit === 'unlimited') return this.#own.acquire(token, limit);
    const { workers } = this.#counts;
    const share = limit >= LARGE * workers ? Math.floor(limit / (2 * workers)) : 0;
    const slot = this.#own.acquire(token, share);
    if (slot.state?.allowed !== true) return this.#borrow(token, limit, share);
    const running = share - slot.state.remaining;
    return { ...slot, state: concurrencyState(limit, running, true) };
  }

  async #borrow(token: string, limit: number, share: number): Promise<Slot> {
    const pool = limit - share * this.#counts.workers;
    const { granted, lent } = await this.#counts.borrow(token, pool);
    const state = concurrencyState(limit, limit - pool + lent, granted);
    if (!granted) return { ...FREE, state };
    return { state, release: once(() => this.#counts.giveBack(token)) };
  }
}
