import { queriesStanding, type Standing } from './standing.ts';

/** A query that runs, or was refused; undefined standing where there is no limit. */
export interface Slot {
  readonly standing: Standing | undefined;
  /** Ends it. Further calls do nothing. */
  readonly release: () => void;
}

const FREE: Slot = { standing: undefined, release: () => undefined };

/**
 * The queries that run in this process, by token. A process that dies could not give back a slot
 * that it held elsewhere.
 */
export class RunningQueries {
  readonly #running = new Map<string, number>();

  enter(token: string, limit: number | 'unlimited'): Slot {
    if (limit === 'unlimited') return FREE;
    const running = this.#of(token);
    if (running >= limit) return { ...FREE, standing: queriesStanding(limit, running, false) };
    this.#running.set(token, running + 1);
    let held = true;
    const release = (): void => {
      if (held) this.#leave(token);
      held = false;
    };
    return { standing: queriesStanding(limit, running + 1, true), release };
  }

  #of(token: string): number {
    return this.#running.get(token) ?? 0;
  }

  #leave(token: string): void {
    const left = this.#of(token) - 1;
    if (left > 0) this.#running.set(token, left);
    else this.#running.delete(token);
  }
}
