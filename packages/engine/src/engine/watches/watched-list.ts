import type { TakeState, WatchedState } from '../../engine-types.ts';
import { QueryFailedError, type QueryFailure } from '../../errors.ts';

/** Rests so many times as long as a read took: at most a fifth of one connection is busy. */
const REST_FACTOR = 4;

const FAILURE_REST_MS = 1000;

/** After these the list is read again: nothing is wrong with it. */
const PASSING: ReadonlySet<QueryFailure> = new Set([
  'database_unavailable',
  'overloaded',
  'query_timeout',
  'schema_changed',
]);

export interface ReadState extends WatchedState {
  /** By `performance.now()`: the state is from after this moment, */
  readonly readAt: number;
  /** and before this one. */
  readonly readBy: number;
  /** Equal only if totals and first records are. */
  readonly tag: string;
  /** Whether the read had a version, shown or not. Database callers' reads repeat until they do. */
  readonly isSettled: boolean;
}

export interface FollowedTo {
  /** The data version in the snapshot. */
  readonly version: string | undefined;
  readonly changedAt: number;
}

export interface WatchedListParts {
  readonly version: () => Promise<string | undefined>;
  readonly read: () => Promise<ReadState>;
}

export class WatchedList {
  readonly #parts: WatchedListParts;
  readonly #watchers = new Set<Watcher>();
  /** When a watcher may take the present state, and its timer. */
  #dueAt = Infinity;
  #timer: NodeJS.Timeout | undefined;
  #state: ReadState;
  #failure: unknown;
  /** From before the state was read, or in which it was followed. */
  #version: string | undefined;
  #changedAt: number | undefined;
  #restUntil = 0;
  #isLooking = false;

  constructor(parts: WatchedListParts, first: ReadState) {
    this.#parts = parts;
    this.#state = first;
  }

  get state(): ReadState {
    return this.#state;
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined;
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  get everyMs(): number {
    let least = Infinity;
    for (const { everyMs } of this.#watchers) least = Math.min(least, everyMs);
    return least;
  }

  watch(terms: WatcherTerms): Promise<void> {
    const watcher = new Watcher(this, terms);
    this.#watchers.add(watcher);
    return watcher.follow();
  }

  remove(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    if (this.isWatched) return;
    clearTimeout(this.#timer);
    this.#dueAt = Infinity;
  }

  offerTo(watcher: Watcher): void {
    if (!this.#watchers.has(watcher)) return;
    if (this.hasEnded || !watcher.has(this.#state)) this.#offer([watcher]);
  }

  join(read: ReadState): void {
    if (read.readAt >= this.#state.readAt) this.#set(read);
    // It may be older than what was known: look again.
    this.#version = undefined;
    this.#changedAt = undefined;
  }

  isOld(version: string | undefined): boolean {
    return version === undefined || version !== this.#version;
  }

  /** @param stateOf the state in that snapshot; undefined where it has to be read */
  follow({ version, changedAt }: FollowedTo, stateOf: () => ReadState | undefined): void {
    if (changedAt !== this.#changedAt) {
      const state = stateOf();
      if (state === undefined) return void this.look({ version, changedAt });
      if (!this.#note(state)) return;
    }
    this.#version = version;
    this.#changedAt = changedAt;
  }

  end(failure: unknown): void {
    this.#failure = failure;
    this.#offer(this.#watchers);
  }

  /** @param followed how far the list is known to have changed. Default: unknown */
  async look(followed?: FollowedTo): Promise<void> {
    if (this.#isLooking || performance.now() < this.#restUntil) return;
    this.#isLooking = true;
    try {
      await this.#readIfChanged(followed);
    } catch (error) {
      this.#restUntil = performance.now() + FAILURE_REST_MS;
      if (!(error instanceof QueryFailedError && PASSING.has(error.code))) this.end(error);
    } finally {
      this.#isLooking = false;
    }
  }

  async #readIfChanged(followed: FollowedTo | undefined): Promise<void> {
    const version = followed ? followed.version : await this.#parts.version();
    if (!this.isOld(version)) return;
    const read = await this.#parts.read();
    const now = performance.now();
    this.#restUntil = now + (now - read.readAt) * REST_FACTOR;
    const isNoted = this.#note(read);
    this.#version = isNoted && read.isSettled ? version : undefined;
    // The read includes these changes, whatever was committed since.
    this.#changedAt = isNoted ? followed?.changedAt : undefined;
  }

  /** Returns whether the state is certainly later than the known one. */
  #note(read: ReadState): boolean {
    if (read.readAt < this.#state.readBy) return false;
    this.#set(read);
    return true;
  }

  #set(read: ReadState): void {
    const known = this.#state;
    // Without a version only the tag shows changes.
    const isSame = read.list.version === undefined ? read.tag === known.tag : read.id === known.id;
    const { readAt, readBy } = read;
    this.#state = isSame ? { ...known, readAt, readBy } : read;
    if (!isSame) this.#offer(this.#watchers);
  }

  #offer(watchers: Iterable<Watcher>): void {
    const now = performance.now();
    let dueAt = Infinity;
    for (const watcher of watchers) {
      if (this.hasEnded) watcher.fail(this.#failure);
      else dueAt = Math.min(dueAt, watcher.offer(this.#state, now) ?? Infinity);
    }
    if (dueAt >= this.#dueAt) return;
    this.#dueAt = dueAt;
    clearTimeout(this.#timer);
    const offerAgain = (): void => {
      this.#dueAt = Infinity;
      this.#offer(this.#watchers);
    };
    this.#timer = setTimeout(offerAgain, dueAt - now).unref();
  }
}

interface WatcherTerms {
  readonly take: TakeState;
  readonly signal: AbortSignal;
  /** The least milliseconds between two states. */
  readonly everyMs: number;
  readonly onClose?: () => void;
}

/** Thousands may watch: none has a timer, listener or promise for each wait. */
class Watcher {
  readonly #list: WatchedList;
  readonly #terms: WatcherTerms;
  readonly #ended = Promise.withResolvers<void>();
  #takenId: string | undefined;
  #dueAt = -Infinity;
  #isTaking = false;

  constructor(list: WatchedList, terms: WatcherTerms) {
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
