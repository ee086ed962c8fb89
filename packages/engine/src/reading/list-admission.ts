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

/** Lists of which something is remembered. */
const MOST_LISTS = 1000;

/** What is remembered of a list. */
interface ListNotes {
  /** Whether somebody asked for it. */
  isAsked?: true;
  /** Until when nothing is kept of it, and how long that pause is, in milliseconds. */
  pause?: { readonly until: number; readonly milliseconds: number } | undefined;
  /** Its total when its index did not fit. */
  tooLong?: number;
  /** What is kept of it: what that cost, and how many pages it led to. */
  kept?: { readonly buildMs: number; uses: number } | undefined;
}

/**
 * Notes of which lists a page index or a followed total is kept, and decides which others are worth
 * one. A list is known by its key.
 */
export class ListAdmission {
  readonly #lists = new LRUCache<string, ListNotes>({ max: MOST_LISTS });

  has(list: string): boolean {
    return this.#lists.peek(list)?.kept !== undefined;
  }

  /**
   * Notes that somebody asked for a list. Returns whether this was noted before: something is kept
   * from the second request on, so that a caller who reads many lists once each causes none.
   */
  noteAsked(list: string): boolean {
    const notes = this.#of(list);
    const again = notes.isAsked === true;
    notes.isAsked = true;
    return again;
  }

  /**
   * Whether something may be kept: the list has no pause, and is not about as long as when its
   * index did not fit into memory.
   *
   * @param total of the list, where it may be too long
   */
  admits(list: string, total?: bigint): boolean {
    const { pause, tooLong } = this.#lists.get(list) ?? {};
    if (pause !== undefined && pause.until > performance.now()) return false;
    if (total === undefined || tooLong === undefined) return true;
    return Math.abs(Number(total) - tooLong) > tooLong * SAME_LENGTH;
  }

  /** Notes that something is kept from now on, and how long reading it took, in milliseconds. */
  noteKept(list: string, buildMs: number): void {
    this.#of(list).kept ??= { buildMs, uses: 0 };
  }

  /** Notes that what is kept led to a page. */
  noteUse(list: string): void {
    const kept = this.#lists.get(list)?.kept;
    if (kept !== undefined) kept.uses += 1;
  }

  /**
   * Notes that nothing is kept any longer: the data has changed, the list could not be followed, or
   * others needed the memory.
   */
  noteGone(list: string): void {
    const notes = this.#lists.get(list);
    if (notes?.kept === undefined) return;
    const { kept } = notes;
    notes.kept = undefined;
    if (kept.uses < FEW_USES) this.noteInVain(list, kept.buildMs);
    else notes.pause = undefined;
  }

  /** Notes that something which took so long to build led to few pages or none. */
  noteInVain(list: string, buildMs: number): void {
    const last = this.#of(list).pause?.milliseconds ?? 0;
    this.#pause(list, Math.max(buildMs * PAUSE_FACTOR, Math.min(LONGEST_PAUSE_MS, last * 2)));
  }

  /**
   * Notes that a list cannot be followed, or that no index of the database has its order. It is
   * tried again after a pause, since that may change.
   */
  noteRefused(list: string): void {
    this.#pause(list, LONGEST_PAUSE_MS);
  }

  /** Notes that the index of a list with this total did not fit into memory. */
  noteTooLong(list: string, total: bigint): void {
    this.#of(list).tooLong = Number(total);
  }

  #pause(list: string, milliseconds: number): void {
    this.#of(list).pause = { until: performance.now() + milliseconds, milliseconds };
  }

  #of(list: string): ListNotes {
    const known = this.#lists.get(list);
    if (known !== undefined) return known;
    const notes: ListNotes = {};
    this.#lists.set(list, notes);
    return notes;
  }
}
