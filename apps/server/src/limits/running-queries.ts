import { Tally } from '@proj/fastify/host';

import { concurrencyState, type RateLimitState } from './counts/rate-limit-state.ts';

/** Of a query that runs, or was refused; no state without a limit. */
export interface Slot {
  readonly state: RateLimitState | undefined;
  /** Further calls do nothing. */
  readonly release: () => void;
}

export const FREE: Slot = { state: undefined, release: () => undefined };

/** By token. In this process only: one that dies could not return slots held elsewhere. */
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

/** Only its first call does the work. */
export function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
