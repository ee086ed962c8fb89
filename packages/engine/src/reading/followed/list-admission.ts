import { LRUCache } from 'lru-cache';

import { IndexAdmission, type UsedIndex } from '../unchanged/index-admission.ts';

/** Lists of which something is kept; the source keeps fewer. */
const MOST_LISTS = 1000;

/**
 * Notes which lists have a followed total or page index, and decides which others get one: those
 * that are asked for a second time. A list is identified by its key.
 */
export class ListAdmission {
  readonly #admission = new IndexAdmission();
  readonly #kept = new LRUCache<string, UsedIndex>({ max: MOST_LISTS });

  has(list: string): boolean {
    return this.#kept.has(list);
  }

  /**
   * Notes that somebody asked for a list that is not kept. Returns whether it should be.
   *
   * @param atOnce at the first request. Default: false
   */
  noteAsked(list: string, atOnce = false): boolean {
    const again = this.#admission.noteAsked(list);
    return (again || atOnce) && this.#admission.admits(list, 0n);
  }

  /** Notes that a list is kept from now on, and how long reading it took, in milliseconds. */
  noteKept(list: string, buildMs: number): void {
    if (!this.#kept.has(list)) this.#kept.set(list, { buildMs, uses: 0 });
  }

  noteUse(list: string): void {
    const kept = this.#kept.get(list);
    if (kept !== undefined) kept.uses += 1;
  }

  /** Notes that a list is no longer kept: it could not follow, or others needed its memory. */
  noteGone(list: string): void {
    const kept = this.#kept.get(list);
    if (kept === undefined) return;
    this.#kept.delete(list);
    this.#admission.noteGone(list, kept);
  }

  /**
   * Notes that a list cannot be followed. It is tried again after a pause, since that may change.
   */
  noteRefused(list: string): void {
    this.#admission.noteRefused(list);
  }
}
