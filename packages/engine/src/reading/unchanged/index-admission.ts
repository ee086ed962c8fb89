import { LRUCache } from 'lru-cache';

/**
 * After a page index that was hardly used, none is built for this list for so many times as long as
 * building took; after the next such index for twice that time.
 */
const PAUSE_FACTOR = 4;

/** The longest such pause, in milliseconds, unless four times the building takes longer. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * A list whose index did not fit into memory gets none while its total differs by no more than this
 * part from the total at that time.
 */
const SAME_LENGTH = 0.2;

/** An index that led to fewer pages was not worth its building. */
const FEW_USES = 10;

/** Lists that are remembered because no index is built for them. */
const MOST_LISTS = 1000;

interface Pause {
  readonly until: number;
  readonly milliseconds: number;
}

/** What building an index cost, and how many pages it led to. */
export interface UsedIndex {
  readonly buildMs: number;
  uses: number;
}

/** Decides which lists are worth a page index. A list is known by its key. */
export class IndexAdmission {
  readonly #askedOnce = new LRUCache<string, true>({ max: MOST_LISTS });
  /** The totals of lists whose indexes did not fit. */
  readonly #tooLong = new LRUCache<string, number>({ max: MOST_LISTS });
  readonly #pauses = new LRUCache<string, Pause>({ max: MOST_LISTS });

  /**
   * Notes that an index would help. Returns whether this was noted before: a list gets an index at
   * the second request, so that a caller who reads many lists once each causes none to be built.
   */
  noteAsked(list: string): boolean {
    const again = this.#askedOnce.has(list);
    this.#askedOnce.set(list, true);
    return again;
  }

  /**
   * Whether an index may be built: the list has no pause, and is not about as long as when its
   * index did not fit into memory.
   */
  admits(list: string, total: bigint): boolean {
    return !this.#isPaused(list) && !this.#isTooLong(list, Number(total));
  }

  /** Notes that an index, which took so long to build, led to few pages or none. */
  noteInVain(list: string, buildMs: number): void {
    const last = this.#pauses.get(list)?.milliseconds ?? 0;
    const milliseconds = Math.max(buildMs * PAUSE_FACTOR, Math.min(LONGEST_PAUSE_MS, last * 2));
    this.#pauses.set(list, { until: performance.now() + milliseconds, milliseconds });
  }

  /**
   * Notes that no index of the database has the order of the list. It is tried again after a pause,
   * since such an index may be created.
   */
  noteRefused(list: string): void {
    const until = performance.now() + LONGEST_PAUSE_MS;
    this.#pauses.set(list, { until, milliseconds: LONGEST_PAUSE_MS });
  }

  /** Notes that an index is no longer kept. */
  noteGone(list: string, { buildMs, uses }: UsedIndex): void {
    if (uses < FEW_USES) this.noteInVain(list, buildMs);
    else this.#pauses.delete(list);
  }

  /** Notes that the index of a list with this total did not fit into memory. */
  noteTooLong(list: string, total: bigint): void {
    this.#tooLong.set(list, Number(total));
  }

  #isPaused(list: string): boolean {
    return (this.#pauses.get(list)?.until ?? 0) > performance.now();
  }

  #isTooLong(list: string, total: number): boolean {
    const then = this.#tooLong.get(list);
    return then !== undefined && Math.abs(total - then) <= then * SAME_LENGTH;
  }
}
