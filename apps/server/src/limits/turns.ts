import { performance } from 'node:perf_hooks';

import { Callers, FairQueue } from '@proj/engine';

/**
 * How long a slice may last in which requests are begun, in milliseconds, before the event loop
 * handles other events: with several callers, and with one. A request that has begun is not
 * interrupted.
 */
const SLICE_MS = { shared: 0.5, alone: 4 };

/** For how long after a request of another caller the callers count as several, in milliseconds. */
const SHARED_MS = 10_000;

/** How many immediates wait at most; more requests than these never begin in one slice. */
const MAX_IMMEDIATES = 16;

/**
 * Decides when a request begins to use the processor. While there is little to do it begins at
 * once. Otherwise callers take turns, however many requests one of them has, in slices of time;
 * between two slices the event loop reads further requests and replies of the database.
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

  /**
   * Begins a request when it is its turn.
   *
   * @returns gives the turn up, if it has not come yet; undefined where the request has begun
   */
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

  /** Begins a slice where none is under way. Returns whether there is time left in it. */
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

  /**
   * Begins one request for each immediate: Node runs all promise callbacks that follow from one
   * immediate before it runs the next.
   */
  readonly #beginNext = (): void => {
    this.#immediates -= 1;
    if (this.#waiting.size === 0) return;
    const next = this.#useSlice(this.#now()) ? this.#waiting.take(() => true) : undefined;
    this.#scheduleNext();
    next?.item();
  };
}
