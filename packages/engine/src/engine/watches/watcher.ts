import type { TakeState, WatchedState } from '../../engine-types.ts';

interface Offering {
  offerTo(watcher: Watcher): void;
  remove(watcher: Watcher): void;
}

export interface WatcherTerms {
  readonly take: TakeState;
  readonly signal: AbortSignal;
  /** The least milliseconds between two states. */
  readonly everyMs: number;
  readonly onClose?: () => void;
}

/** Thousands may watch: none has a timer, listener or promise for each wait. */
export class Watcher {
  readonly #list: Offering;
  readonly #terms: WatcherTerms;
  readonly #ended = Promise.withResolvers<void>();
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

  follow(): Promise<void> {
    const { signal } = this.#terms;
    signal.addEventListener('abort', this.#leave, { once: true });
    if (signal.aborted) this.#leave();
    else this.#list.offerTo(this);
    return this.#ended.promise;
  }

  has({ id }: WatchedState): boolean {
    return id === this.#takenId;
  }

  /** @returns when they may take the state, if later, by `performance.now()` */
  offer(state: WatchedState, now: number): number | undefined {
    if (this.#isTaking || this.has(state)) return undefined;
    if (now < this.#dueAt) return this.#dueAt;
    this.#takenId = state.id;
    this.#dueAt = now + this.everyMs;
    this.#take(state);
    return undefined;
  }

  /** They get the error once idle. */
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
