import { Tally } from '@proj/fastify/host';

import { concurrencyState, type RateLimitState } from './counts/rate-limit-state.ts';

/** A slot of a query that runs, or was refused; undefined state where there is no limit. */
export interface Slot {
  readonly state: RateLimitState | undefined;
  /** Gives it back. Further calls do nothing. */
  readonly release: () => void;
}

export const FREE: Slot = { state: undefined, release: () => undefined };

/**
 * The queries that run in this process, by token. A process that dies could not give back a slot
 * that it held elsewhere.
 */
export class RunningQueries {
  readonly #running = new Tally();

  acquire(token: string, limit: number | 'unlimited'): Slot {
    if (limit === 'unlimited') return FREE;
    const running = this.#running.of(token);
    if (running >= limit) return { ...FREE, state: concurrencyState(limit, running, false) };
    const state = concurrencyState(limit, running + 1, true);
    return { state, release: once(this.#running.add(token)) };
  }
}

/** @returns does the work on its first call only */
export function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
