import { performance } from 'node:perf_hooks';

import { Callers, FairQueue } from '@proj/engine';

/** Time for beginning requests between other events, with several callers and with one. */
const SLICE_MS = { shared: 0.5, alone: 4 };

/** How long a request of another caller makes callers count as several, in milliseconds. */
const SHARED_MS = 10_000;

/** Limit of waiting immediates; a slice never begins more requests. */
const MAX_IMMEDIATES = 16;

/**
 * Requests begin at once while there is little to do. Otherwise callers take turns in slices of
 * time, however many requests one has; between slices the event loop reads requests and replies of
 * the database.
 */
export class Turns {
  readonly #waiting = new FairQueue<() => void>();
  readonly #now: () => number;
  #lastCaller: string | undefined;
  #sharedUntil = 0;
  #sliceBegan: number | undefined;
  #immediates = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** @returns gives the turn up, if it has not come yet; undefined where the request has begun */
  take(caller: string, begin: () => void): (() => void) | undefined {
    const now = this.#now();
    this.#noteCaller(caller, now);
    if (this.#waiting.size === 0 && this.#useSlice(now)) {
      begin();
      return undefined;
    }
    this.#waiting.add(begin, new Callers(caller));
    this.#scheduleNext();
    return () => this.#waiting.delete(begin);
  }

  #noteCaller(caller: string, now: number): void {
    if (caller === this.#lastCaller) return;
    if (this.#lastCaller !== undefined) this.#sharedUntil = now + SHARED_MS;
    this.#lastCaller = caller;
  }

  /** Begins a slice unless one is active. Returns whether it has time left. */
  #useSlice(now: number): boolean {
    const length = now < this.#sharedUntil ? SLICE_MS.shared : SLICE_MS.alone;
    if (this.#sliceBegan !== undefined) return now < this.#sliceBegan + length;
    this.#sliceBegan = now;
    setImmediate(this.#endSlice);
    return true;
  }

  readonly #endSlice = (): void => {
    this.#sliceBegan = undefined;
  };

  #scheduleNext(): void {
    if (this.#immediates >= Math.min(this.#waiting.size, MAX_IMMEDIATES)) return;
    this.#immediates += 1;
    setImmediate(this.#beginNext);
  }

  /** One request for each immediate: Node runs its promise callbacks before the next one. */
  readonly #beginNext = (): void => {
    this.#immediates -= 1;
    const next = this.#useSlice(this.#now()) ? this.#waiting.take(() => true) : undefined;
    this.#scheduleNext();
    next?.item();
  };
}
