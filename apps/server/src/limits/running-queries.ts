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
  readonly #running = new Map<string, number>();

  acquire(token: string, limit: number | 'unlimited'): Slot {
    if (limit === 'unlimited') return FREE;
    const running = this.#of(token);
    if (running >= limit) return { ...FREE, state: concurrencyState(limit, running, false) };
    this.#running.set(token, running + 1);
    let held = true;
    const release = (): void => {
      if (held) this.#release(token);
      held = false;
    };
    return { state: concurrencyState(limit, running + 1, true), release };
  }

  #of(token: string): number {
    return this.#running.get(token) ?? 0;
  }

  #release(token: string): void {
    const left = this.#of(token) - 1;
    if (left > 0) this.#running.set(token, left);
    else this.#running.delete(token);
  }
}
