import type { TakeState, WatchedState } from '../../engine-types.ts';

/** What offers states to those who watch. */
interface Offering {
  /** Offers the latest state. */
  offerTo(watcher: Watcher): void;
  remove(watcher: Watcher): void;
}

/** How somebody watches. */
export interface WatcherTerms {
  readonly take: TakeState;
  /** Aborts when they leave, which ends the states. */
  readonly signal: AbortSignal;
  /** So many milliseconds are between two states at least. */
  readonly everyMs: number;
  /** Runs when they watch no longer. */
  readonly onClose?: () => void;
}

/**
 * Somebody who watches a list, with the states that they take one after another. Thousands may
 * watch, with many events a second: none has a timer, a listener or a promise for each wait.
 */
export class Watcher {
  readonly #list: Offering;
  readonly #terms: WatcherTerms;
  readonly #ended = Promise.withResolvers<void>();
  /** The state that was taken last. */
  #takenId: string | undefined;
  #dueAt = -Infinity;
  #isTaking = false;

  constructor(list: Offering, terms: WatcherTerms) {
    this.#list = list;
    this.#terms = terms;
  }

  get everyMs(): number {
    return this.#terms.everyMs;
  }

  /** Takes states until they leave, or rejects with what ended the states. */
  follow(): Promise<void> {
    const { signal } = this.#terms;
    signal.addEventListener('abort', this.#leave, { once: true });
    if (signal.aborted) this.#leave();
    else this.#list.offerTo(this);
    return this.#ended.promise;
  }

  /** Whether they have taken a state, and no other one since. */
  has({ id }: WatchedState): boolean {
    return id === this.#takenId;
  }

  /**
   * Takes a state if they had another one before, and are not busy with it.
   *
   * @returns when they may take it, if that is later, as a moment of `performance.now()`
   */
  offer(state: WatchedState, now: number): number | undefined {
    if (this.#isTaking || this.has(state)) return undefined;
    if (now < this.#dueAt) return this.#dueAt;
    this.#takenId = state.id;
    this.#dueAt = now + this.everyMs;
    this.#take(state);
    return undefined;
  }

  /** Ends the states with an error, which they get once they are not busy. */
  fail(error: unknown): void {
    if (this.#isTaking) return;
    this.#ended.reject(error);
    this.#leave();
  }

  #take(state: WatchedState): void {
    try {
      const wantsMore = this.#terms.take(state);
      if (wantsMore === false) this.#leave();
      else if (wantsMore !== true) void this.#untilTaken(wantsMore);
    } catch (error) {
      this.fail(error);
    }
  }

  async #untilTaken(taking: Promise<boolean>): Promise<void> {
    this.#isTaking = true;
    try {
      const wantsMore = await taking;
      this.#isTaking = false;
      if (wantsMore) this.#list.offerTo(this);
      else this.#leave();
    } catch (error) {
      this.#isTaking = false;
      this.fail(error);
    }
  }

  readonly #leave = (): void => {
    const { signal, onClose } = this.#terms;
    signal.removeEventListener('abort', this.#leave);
    this.#list.remove(this);
    this.#ended.resolve();
    onClose?.();
  };
}
