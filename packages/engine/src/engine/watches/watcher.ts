import type { WatchedState } from '../../engine-types.ts';

/** What offers states to those who watch. */
interface Offering {
  /** Offers the latest state. */
  offerTo(watcher: Watcher): void;
  remove(watcher: Watcher): void;
}

/** How somebody watches. */
export interface WatcherTerms {
  /** Aborts when they leave, which ends the states. */
  readonly signal: AbortSignal;
  /** So many milliseconds are between two states at least. */
  readonly everyMs: number;
  /** Runs when they watch no longer. */
  readonly onClose?: () => void;
}

type Taken = IteratorResult<WatchedState, undefined>;
type Waiting = PromiseWithResolvers<Taken>;

/**
 * Somebody who watches a list, with the states that they take one after another. Thousands may
 * watch, with many events a second: none has a timer or a listener for each wait.
 */
export class Watcher implements AsyncIterableIterator<WatchedState> {
  readonly #list: Offering;
  readonly #terms: WatcherTerms;
  /** The state that was taken last. */
  #takenId: string | undefined;
  #dueAt = -Infinity;
  #waiting: Waiting | undefined;

  constructor(list: Offering, terms: WatcherTerms) {
    this.#list = list;
    this.#terms = terms;
    terms.signal.addEventListener('abort', this.#leave, { once: true });
  }

  get everyMs(): number {
    return this.#terms.everyMs;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Taken> {
    const waiting: Waiting = Promise.withResolvers();
    this.#waiting = waiting;
    if (this.#terms.signal.aborted) this.#leave();
    else this.#list.offerTo(this);
    return waiting.promise;
  }

  async return(): Promise<Taken> {
    this.#leave();
    return OVER;
  }

  /** Whether they have taken a state, and no other one since. */
  has({ id }: WatchedState): boolean {
    return id === this.#takenId;
  }

  /**
   * Takes a state if they wait for one, and had another one before.
   *
   * @returns when they may take it, if that is later, as a moment of `performance.now()`
   */
  offer(state: WatchedState, now: number): number | undefined {
    if (this.#waiting === undefined || this.has(state)) return undefined;
    if (now < this.#dueAt) return this.#dueAt;
    this.#takenId = state.id;
    this.#dueAt = now + this.everyMs;
    this.#take()?.resolve({ done: false, value: state });
    return undefined;
  }

  /** Ends the states with an error, which they get once they ask. */
  fail(error: unknown): void {
    const waiting = this.#take();
    if (waiting === undefined) return;
    waiting.reject(error);
    this.#leave();
  }

  #take(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }

  readonly #leave = (): void => {
    const { signal, onClose } = this.#terms;
    signal.removeEventListener('abort', this.#leave);
    this.#list.remove(this);
    this.#take()?.resolve(OVER);
    onClose?.();
  };
}

const OVER = { done: true, value: undefined } as const;
