import type { WatchedState } from '../../engine-types.ts';
import { QueryFailedError, type QueryFailure } from '../../errors.ts';
import { Watcher, type WatcherTerms } from './watcher.ts';

/**
 * After a read of the list it is not read again for so many times as long as that took, so that
 * watching takes the database a fifth of one connection at most.
 */
const REST_FACTOR = 4;

/** A list that could not be read is not read again for so long, in milliseconds. */
const FAILURE_REST_MS = 1000;

/** Failures after which the list is read again: nothing is wrong with the list itself. */
const PASSING: ReadonlySet<QueryFailure> = new Set([
  'database_unavailable',
  'overloaded',
  'query_timeout',
  'schema_changed',
]);

/** A state as it was read. */
export interface ReadState extends WatchedState {
  /** It was the state of the list after this moment of `performance.now()`, */
  readonly readAt: number;
  /** and before this one. */
  readonly readBy: number;
  /** Equal in two states only if their totals and first records are. */
  readonly tag: string;
  /**
   * Whether the read had a version, be it shown to callers or not. What a caller of the database
   * reads has none while others commit, and is read again until it has one.
   */
  readonly isSettled: boolean;
}

/** How far a list is followed. */
export interface FollowedTo {
  /** The version of the data in the snapshot. */
  readonly version: string | undefined;
  /** As in {@link FollowedState}. */
  readonly changedAt: number;
}

/** How a list is watched. */
export interface WatchedListParts {
  /** The version of the data at a moment after the call; undefined where it is unknown. */
  readonly version: () => Promise<string | undefined>;
  /** Reads the list. */
  readonly read: () => Promise<ReadState>;
}

/** A list that callers watch: it is read for all of them when the data has changed. */
export class WatchedList {
  readonly #parts: WatchedListParts;
  readonly #watchers = new Set<Watcher>();
  /** Runs when a watcher may take a state that is there already, as a moment, and its timer. */
  #dueAt = Infinity;
  #timer: NodeJS.Timeout | undefined;
  #state: ReadState;
  #failure: unknown;
  /** The version of the data before the state was read, or in which it was followed. */
  #version: string | undefined;
  /** When the list was last found to have changed, where it is followed. */
  #changedAt: number | undefined;
  #restUntil = 0;
  #isLooking = false;

  constructor(parts: WatchedListParts, first: ReadState) {
    this.#parts = parts;
    this.#state = first;
  }

  /** The latest state. */
  get state(): ReadState {
    return this.#state;
  }

  /** Whether {@link end} was called. */
  get hasEnded(): boolean {
    return this.#failure !== undefined;
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  /** The shortest time that somebody wants between two states, in milliseconds. */
  get everyMs(): number {
    let least = Infinity;
    for (const { everyMs } of this.#watchers) least = Math.min(least, everyMs);
    return least;
  }

  /** As `ListWatch.follow`, for somebody who watches. */
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

  /** Notes a state that was read for somebody who begins to watch. */
  join(read: ReadState): void {
    if (read.readAt >= this.#state.readAt) this.#set(read);
    // It may be an earlier one than what was known: the list is looked at again.
    this.#version = undefined;
    this.#changedAt = undefined;
  }

  /** Whether the data is of another version than that of the state, or may be. */
  isOld(version: string | undefined): boolean {
    return version === undefined || version !== this.#version;
  }

  /**
   * Notes how far the list was followed.
   *
   * @param stateOf gives the state in that snapshot, undefined where it has to be read; it is asked
   *   for if the list has changed
   */
  follow({ version, changedAt }: FollowedTo, stateOf: () => ReadState | undefined): void {
    if (changedAt !== this.#changedAt) {
      const state = stateOf();
      if (state === undefined) return void this.look({ version, changedAt });
      if (!this.#note(state)) return;
    }
    this.#version = version;
    this.#changedAt = changedAt;
  }

  /** Ends the watch for everybody. */
  end(failure: unknown): void {
    this.#failure = failure;
    this.#offer(this.#watchers);
  }

  /**
   * Reads the list if the data has changed since it was read. Never rejects.
   *
   * @param followed how far it is known to have changed. Default: unknown
   */
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
    // The read has what was changed by then, whatever has been committed since.
    this.#changedAt = isNoted ? followed?.changedAt : undefined;
  }

  /** Notes a state that is later than the one that is known. Returns whether it certainly is. */
  #note(read: ReadState): boolean {
    if (read.readAt < this.#state.readBy) return false;
    this.#set(read);
    return true;
  }

  #set(read: ReadState): void {
    const known = this.#state;
    // Without a version only what was read says whether the list has changed.
    const isSame = read.list.version === undefined ? read.tag === known.tag : read.id === known.id;
    const { readAt, readBy } = read;
    this.#state = isSame ? { ...known, readAt, readBy } : read;
    if (!isSame) this.#offer(this.#watchers);
  }

  /** One timer is for all who have to wait until they may take the state. */
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
    this.#timer = setTimeout(() => this.#offerAgain(), dueAt - now).unref();
  }

  #offerAgain(): void {
    this.#dueAt = Infinity;
    this.#offer(this.#watchers);
  }
}
