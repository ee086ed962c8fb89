import { LRUCache } from 'lru-cache';

/** An index hardly used is not rebuilt for so many times its building time, then twice that. */
const PAUSE_FACTOR = 4;

/** In milliseconds, unless four times the building takes longer. */
const LONGEST_PAUSE_MS = 60_000;

/** An index that was too large is tried again when the total differs by this part. */
const SAME_LENGTH = 0.2;

/** Fewer uses were not worth the building. */
const FEW_USES = 10;

const MOST_LISTS = 1000;

interface ListNotes {
  isAsked?: true;
  pause?: { readonly until: number; readonly milliseconds: number } | undefined;
  tooLong?: number;
  /** What it cost, and how many pages it led to. */
  kept?: { readonly buildMs: number; uses: number } | undefined;
}

/** Decides which lists deserve an index or a followed total, by their keys. */
export class ListAdmission {
  readonly #lists = new LRUCache<string, ListNotes>({ max: MOST_LISTS });

  has(list: string): boolean {
    return this.#lists.peek(list)?.kept !== undefined;
  }

  /** Returns whether it was noted before: callers who read many lists once each cause nothing. */
  noteAsked(list: string): boolean {
    const notes = this.#of(list);
    const again = notes.isAsked === true;
    notes.isAsked = true;
    return again;
  }

  /** @param total to compare with the total when its index did not fit */
  admits(list: string, total?: bigint): boolean {
    const { pause, tooLong } = this.#lists.get(list) ?? {};
    if (pause !== undefined && pause.until > performance.now()) return false;
    if (total === undefined || tooLong === undefined) return true;
    return Math.abs(Number(total) - tooLong) > tooLong * SAME_LENGTH;
  }

  noteKept(list: string, buildMs: number): void {
    this.#of(list).kept ??= { buildMs, uses: 0 };
  }

  noteUse(list: string): void {
    const kept = this.#lists.get(list)?.kept;
    if (kept !== undefined) kept.uses += 1;
  }

  /** The data changed, the list could not be followed, or others needed the memory. */
  noteGone(list: string): void {
    const notes = this.#lists.get(list);
    if (notes?.kept === undefined) return;
    const { kept } = notes;
    notes.kept = undefined;
    if (kept.uses < FEW_USES) this.noteInVain(list, kept.buildMs);
    else notes.pause = undefined;
  }

  noteInVain(list: string, buildMs: number): void {
    const last = this.#of(list).pause?.milliseconds ?? 0;
    this.#pause(list, Math.max(buildMs * PAUSE_FACTOR, Math.min(LONGEST_PAUSE_MS, last * 2)));
  }

  /** The list cannot be followed, or no database index has its order; retried after a pause. */
  noteRefused(list: string): void {
    this.#pause(list, LONGEST_PAUSE_MS);
  }

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
