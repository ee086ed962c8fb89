import type { WatchedState } from '../../engine-types.ts';
import { QueryFailedError, type QueryFailure } from '../../errors.ts';

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
  /** When the read began, as a moment of `performance.now()`. */
  readonly readAt: number;
  /** Equal in two states only if their totals and first records are. */
  readonly tag: string;
  /**
   * Whether the read had a version, be it shown to callers or not. What a caller of the database
   * reads has none while others commit, and is read again until it has one.
   */
  readonly isSettled: boolean;
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
  /** How many watch, by the time between two states that they want. */
  readonly #watchers = new Map<number, number>();
  #state: ReadState;
  #failure: unknown;
  #change = Promise.withResolvers<void>();
  /** The version of the data before the state was read. */
  #version: string | undefined;
  #restUntil = 0;
  #isLooking = false;

  constructor(parts: WatchedListParts, first: ReadState) {
    this.#parts = parts;
    this.#state = first;
  }

  /**
   * The latest state.
   *
   * @throws what ended the watch
   */
  get state(): ReadState {
    if (this.#failure !== undefined) throw this.#failure;
    return this.#state;
  }

  /** Resolves with the next change of {@link state}. */
  get change(): Promise<void> {
    return this.#change.promise;
  }

  /** Whether {@link state} throws. */
  get hasEnded(): boolean {
    return this.#failure !== undefined;
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  /** The shortest time that somebody wants between two states, in milliseconds. */
  get everyMs(): number {
    return Math.min(...this.#watchers.keys());
  }

  /**
   * Adds somebody who watches.
   *
   * @returns removes them
   */
  add(everyMs: number): () => void {
    this.#watchers.set(everyMs, (this.#watchers.get(everyMs) ?? 0) + 1);
    return () => {
      const left = (this.#watchers.get(everyMs) ?? 0) - 1;
      if (left > 0) this.#watchers.set(everyMs, left);
      else this.#watchers.delete(everyMs);
    };
  }

  /** Notes a state, unless a later one is known. */
  note(read: ReadState): void {
    const known = this.#state;
    if (read.readAt < known.readAt) return;
    // Without a version only what was read says whether the list has changed.
    const isSame = read.list.version === undefined ? read.tag === known.tag : read.id === known.id;
    this.#state = isSame ? { ...known, readAt: read.readAt } : read;
    if (!isSame) this.#wake();
  }

  /** Ends the watch for everybody. */
  end(failure: unknown): void {
    this.#failure = failure;
    this.#wake();
  }

  /** Reads the list if the data has changed since it was read. Never rejects. */
  async look(): Promise<void> {
    if (this.#isLooking || performance.now() < this.#restUntil) return;
    this.#isLooking = true;
    try {
      await this.#readIfChanged();
    } catch (error) {
      this.#restUntil = performance.now() + FAILURE_REST_MS;
      if (!(error instanceof QueryFailedError && PASSING.has(error.code))) this.end(error);
    } finally {
      this.#isLooking = false;
    }
  }

  async #readIfChanged(): Promise<void> {
    const version = await this.#parts.version();
    if (version !== undefined && version === this.#version) return;
    const read = await this.#parts.read();
    const now = performance.now();
    this.#restUntil = now + (now - read.readAt) * REST_FACTOR;
    this.#version = read.isSettled ? version : undefined;
    this.note(read);
  }

  #wake(): void {
    const { resolve } = this.#change;
    this.#change = Promise.withResolvers();
    resolve();
  }
}
