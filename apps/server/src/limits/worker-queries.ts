import { concurrencyState } from './counts/rate-limit-state.ts';
import { FREE, once, RunningQueries, type Slot } from './running-queries.ts';
import type { Soon } from '../soon.ts';
import type { ServiceCounts } from './counts/service-counts.ts';

/** Slots for each worker from which workers have their own. */
const LARGE = 32;

/**
 * Workers own half of a large limit; the rest, and all of a small one, is a pool to borrow from.
 * Together they never run more than the limit.
 */
export class WorkerQueries {
  readonly #counts: ServiceCounts;
  readonly #own = new RunningQueries();

  constructor(counts: ServiceCounts) {
    this.#counts = counts;
  }

  acquire(token: string, limit: number | 'unlimited'): Soon<Slot> {
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
