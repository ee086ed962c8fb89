import type { RelationChange, RowChange } from './changes.ts';
import type { TransactionSnapshot } from './snapshot.ts';
import { deltaOf, UnfoldedChanges } from './unfolded-changes.ts';

/** What a change and one of its rows take in memory, with a key of two short columns. */
const CHANGE_BYTES = 200;
const ROW_BYTES = 200;

/** Gets the changes of a log as they are appended. */
export interface ChangeListener {
  /** A transaction has committed; reads that are running may not see it. */
  append(change: RelationChange): void;
  /** The log lacks some changes: what was derived from earlier ones has to be dropped. */
  forget(): void;
}

/**
 * The keys that came and went in committed changes, and the total with all changes. For the total
 * of one snapshot the changes that it does not see are subtracted, which is exact once all changes
 * that it sees have been appended.
 *
 * A change that every running read sees is also seen by every later one. It is folded: it is no
 * longer kept by itself, and snapshots that do not see it cannot be used any more.
 */
export abstract class RowLog {
  readonly #listeners = new Set<ChangeListener>();
  protected readonly changes = new UnfoldedChanges();
  /** The total of a snapshot that sees all changes. */
  #total: bigint | undefined;

  /** Whether a snapshot sees all changes that are folded or missing. Others cannot be used. */
  abstract isUsable(snapshot: TransactionSnapshot): boolean;

  /** How many changes are kept because some read may not see them. */
  get size(): number {
    return this.changes.size;
  }

  /** How many rows that came or went are kept, in all changes together. */
  get rowCount(): number {
    return this.changes.rows;
  }

  /** What the changes that are kept take in memory, in bytes, estimated. */
  get bytes(): number {
    return this.changes.size * CHANGE_BYTES + this.changes.rows * ROW_BYTES;
  }

  /** A listener gets the changes from now on. */
  listen(listener: ChangeListener): void {
    this.#listeners.add(listener);
  }

  unlisten(listener: ChangeListener): void {
    this.#listeners.delete(listener);
  }

  /** How many rows a snapshot sees; undefined where that is not known. */
  total(snapshot: TransactionSnapshot): bigint | undefined {
    if (this.#total === undefined || !this.isUsable(snapshot)) return undefined;
    return this.#total - this.#unseenDelta(snapshot);
  }

  /**
   * Whether a count in a snapshot would make the total known. It would not while one of the kept
   * changes does not list its rows.
   */
  canLearnTotal(snapshot: TransactionSnapshot): boolean {
    return this.isUsable(snapshot) && !this.changes.truncated;
  }

  /** Whether the total of some snapshot is known. */
  get hasTotal(): boolean {
    return this.#total !== undefined;
  }

  /**
   * Notes how many rows the snapshot of a running read sees. Returns whether the total is known
   * now.
   */
  learnTotal(snapshot: TransactionSnapshot, total: bigint): boolean {
    if (!this.canLearnTotal(snapshot)) return false;
    this.#total = total + this.#unseenDelta(snapshot);
    return true;
  }

  /** Forgets the total, and makes listeners forget what they derived. */
  forget(): void {
    this.#total = undefined;
    for (const listener of this.#listeners) listener.forget();
  }

  /** The row changes that a snapshot does not see; undefined where the snapshot cannot be used. */
  unseenRows(snapshot: TransactionSnapshot): readonly RowChange[] | undefined {
    if (!this.isUsable(snapshot) || this.changes.truncated) return undefined;
    return this.changes.unseen(snapshot).flatMap(({ rows }) => rows);
  }

  /**
   * Adds a change, in the order of commits.
   *
   * @param delta how many rows came, less those that went
   */
  protected add(change: RelationChange, delta = deltaOf(change)): void {
    this.changes.append(change, delta);
    if (this.#total !== undefined) this.#total += BigInt(delta);
    for (const listener of this.#listeners) listener.append(change);
    if (change.truncated) this.forget();
  }

  #unseenDelta(snapshot: TransactionSnapshot): bigint {
    const unseen = this.changes.unseen(snapshot);
    return BigInt(unseen.reduce((sum, { delta }) => sum + delta, 0));
  }
}
