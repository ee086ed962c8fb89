import type { RelationChange, RowChange } from './changes.ts';
import { type RunningRead, RunningReads } from './running-reads.ts';
import type { TransactionSnapshot } from './snapshot.ts';
import { deltaOf, UnfoldedChanges } from './unfolded-changes.ts';

/** How much a log keeps of changes that not every read sees. */
export interface LogLimits {
  readonly changes: number;
  /** Rows that came and went, in all changes together. */
  readonly rows: number;
}

export const LOG_LIMITS: LogLimits = { changes: 20_000, rows: 100_000 };

/** What a change and one of its rows take in memory, with a key of two short columns. */
const CHANGE_BYTES = 200;
const ROW_BYTES = 200;

/** What follows a relation's changes as they are logged. */
export interface ChangeListener {
  /** A transaction has committed; reads that are running may not see it. */
  append(change: RelationChange): void;
  /** What is known of the relation no longer holds. */
  forget(): void;
}

/**
 * The committed changes of one relation, and its total with all of them. What a snapshot does not
 * see is taken off again, so that the total is exact for each snapshot all of whose changes have
 * been appended.
 *
 * A change that every running read sees, and so every later one, is folded: it is no longer kept by
 * itself, and nothing is known of snapshots that do not see it.
 */
export class RelationLog {
  readonly #limits: LogLimits;
  readonly #reads = new RunningReads();
  readonly #listeners = new Set<ChangeListener>();
  readonly #changes = new UnfoldedChanges();
  /** Snapshots have to see all transactions before this one. */
  #firstXid: bigint;
  #lastXid = 0n;
  /** Snapshots have to see all that this one sees, which is folded. */
  #floor: TransactionSnapshot | undefined;
  /** The total of a snapshot that sees all changes. */
  #total: bigint | undefined;

  /**
   * @param firstXid every transaction from this one on that commits is appended; those before may
   *   be missing
   */
  constructor(firstXid: bigint, limits = LOG_LIMITS) {
    this.#firstXid = firstXid;
    this.#limits = limits;
  }

  /** How many changes are kept because some read may not see them. */
  get size(): number {
    return this.#changes.size;
  }

  /** What the changes that are kept take in memory, in bytes, estimated. */
  get bytes(): number {
    return this.#changes.size * CHANGE_BYTES + this.#changes.rows * ROW_BYTES;
  }

  /** Adds a change, in the order of commits. */
  append(change: RelationChange): void {
    this.#changes.append(change);
    if (change.xid > this.#lastXid) this.#lastXid = change.xid;
    if (this.#total !== undefined) this.#total += BigInt(deltaOf(change));
    for (const listener of this.#listeners) listener.append(change);
    if (change.truncated) this.forget();
    if (this.#isTooLong()) this.#drop();
  }

  /** A listener gets the changes from now on. */
  listen(listener: ChangeListener): void {
    this.#listeners.add(listener);
  }

  unlisten(listener: ChangeListener): void {
    this.#listeners.delete(listener);
  }

  /** Begins a read, which takes its snapshot afterwards. Each read has to be ended. */
  beginRead(): RunningRead {
    return this.#reads.begin();
  }

  /** Notes the snapshot of a running read, when all that it sees has been appended. */
  noteSnapshot(snapshot: TransactionSnapshot): void {
    if (this.isUsable(snapshot)) this.#reads.note(snapshot);
  }

  endRead(read: RunningRead): void {
    const floor = this.#reads.end(read);
    if (floor === undefined) return;
    this.#floor = floor;
    this.#changes.fold(floor);
  }

  /** Whether a snapshot sees all that is folded: nothing is known of any other. */
  isUsable(snapshot: TransactionSnapshot): boolean {
    if (snapshot.xmin < this.#firstXid) return false;
    return this.#floor === undefined || snapshot.seesAllOf(this.#floor);
  }

  /**
   * Which of the changes a snapshot sees: equal texts if and only if two snapshots see the same.
   * Undefined where that is not known.
   */
  version(snapshot: TransactionSnapshot): string | undefined {
    return this.isUsable(snapshot) ? this.#changes.version(snapshot) : undefined;
  }

  /** How many rows a snapshot sees; undefined where that is not known. */
  total(snapshot: TransactionSnapshot): bigint | undefined {
    if (this.#total === undefined || !this.isUsable(snapshot)) return undefined;
    return this.#total - this.#unseenDelta(snapshot);
  }

  /**
   * Whether a count in a snapshot helps: it says nothing of what came and went after it without
   * being listed.
   */
  learnsTotal(snapshot: TransactionSnapshot): boolean {
    return this.isUsable(snapshot) && !this.#changes.truncated;
  }

  /** Whether the total of some snapshot is known. */
  get hasTotal(): boolean {
    return this.#total !== undefined;
  }

  /** Notes how many rows the snapshot of a running read sees. Returns whether that helps. */
  learnTotal(snapshot: TransactionSnapshot, total: bigint): boolean {
    if (!this.learnsTotal(snapshot)) return false;
    this.#total = total + this.#unseenDelta(snapshot);
    return true;
  }

  /** Forgets the total, and what listeners know: the relation is another one than before. */
  forget(): void {
    this.#total = undefined;
    for (const listener of this.#listeners) listener.forget();
  }

  /**
   * The rows that came and went and that a snapshot does not see; undefined where that is not
   * known.
   */
  unseenRows(snapshot: TransactionSnapshot): readonly RowChange[] | undefined {
    if (!this.isUsable(snapshot) || this.#changes.truncated) return undefined;
    return this.#changes.unseen(snapshot).flatMap(({ rows }) => rows);
  }

  #unseenDelta(snapshot: TransactionSnapshot): bigint {
    const unseen = this.#changes.unseen(snapshot);
    return BigInt(unseen.reduce((sum, { delta }) => sum + delta, 0));
  }

  #isTooLong(): boolean {
    return this.#changes.size > this.#limits.changes || this.#changes.rows > this.#limits.rows;
  }

  /** Folds all that is kept, for snapshots that see it all. */
  #drop(): void {
    this.#changes.foldAll();
    this.#firstXid = this.#lastXid + 1n;
  }
}
