import type { RelationChange, RowChange } from './changes.ts';
import { type RunningRead, RunningReads } from './running-reads.ts';
import type { TransactionSnapshot } from '../../log/snapshot.ts';
import { deltaOf, UnfoldedChanges } from './unfolded-changes.ts';

/** How much a log keeps of changes that not every read sees. */
export interface LogLimits {
  readonly changes: number;
  /** Rows that were changed, in all changes together. */
  readonly rows: number;
}

const LOG_LIMITS: LogLimits = { changes: 20_000, rows: 100_000 };

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
 * The committed changes of one relation, and its total with all of them. For the total of one
 * snapshot the changes that it does not see are subtracted, which is exact once all changes that it
 * sees have been appended.
 *
 * A change that every running read sees is also seen by every later one. It is folded: it is no
 * longer kept by itself, and snapshots that do not see it cannot be used any more.
 */
export class RelationLog {
  readonly #limits: LogLimits;
  readonly #reads = new RunningReads();
  readonly #listeners = new Set<ChangeListener>();
  readonly #changes: UnfoldedChanges;
  /** The total of a snapshot that sees all changes. */
  #total: bigint | undefined;
  /** Only snapshots that see this transaction and all before it as ended can be used. */
  #begin: bigint;
  #lastXid = 0n;
  /**
   * The changes that this snapshot sees are folded: only snapshots that also see them can be used.
   */
  #floor: TransactionSnapshot | undefined;

  /**
   * @param begin a transaction: every later one that commits is appended, those before may be
   *   missing
   */
  constructor(begin: bigint, limits = LOG_LIMITS) {
    this.#begin = begin;
    this.#changes = new UnfoldedChanges(begin);
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

  /** A listener gets the changes from now on. */
  listen(listener: ChangeListener): void {
    this.#listeners.add(listener);
  }

  unlisten(listener: ChangeListener): void {
    this.#listeners.delete(listener);
  }

  /** Adds the change of a transaction, in the order of commits. */
  append(change: RelationChange): void {
    this.#changes.append(change);
    if (this.#total !== undefined) this.#total += BigInt(deltaOf(change));
    for (const listener of this.#listeners) listener.append(change);
    if (change.truncated) this.forget();
    if (change.xid > this.#lastXid) this.#lastXid = change.xid;
    if (this.#isTooLong()) this.#drop();
  }

  /** Forgets the total, and makes listeners forget what they derived. */
  forget(): void {
    this.#total = undefined;
    for (const listener of this.#listeners) listener.forget();
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

  /** Whether a snapshot sees all changes that are folded or missing. Others cannot be used. */
  isUsable(snapshot: TransactionSnapshot): boolean {
    if (snapshot.xmin <= this.#begin) return false;
    return this.#floor === undefined || snapshot.seesAllOf(this.#floor);
  }

  /**
   * Which of the changes a snapshot sees: equal texts if and only if two snapshots see the same,
   * also of two logs that both have the last change which is seen. Undefined where that is not
   * known.
   */
  version(snapshot: TransactionSnapshot): string | undefined {
    return this.isUsable(snapshot) ? this.#changes.version(snapshot) : undefined;
  }

  /** Whether the total of some snapshot is known. */
  get hasTotal(): boolean {
    return this.#total !== undefined;
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
    return this.isUsable(snapshot) && !this.#changes.truncated;
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

  /** The row changes that a snapshot does not see; undefined where the snapshot cannot be used. */
  unseenRows(snapshot: TransactionSnapshot): readonly RowChange[] | undefined {
    if (!this.isUsable(snapshot) || this.#changes.truncated) return undefined;
    return this.#changes.unseen(snapshot).flatMap(({ rows }) => rows);
  }

  /**
   * The keys of all rows that may differ between the snapshots of two running reads, each as a JSON
   * array of its texts. Undefined where they are not known.
   */
  differingKeys(one: TransactionSnapshot, other: TransactionSnapshot): Set<string> | undefined {
    if (!this.isUsable(one) || !this.isUsable(other)) return undefined;
    return this.#changes.differingKeys(one, other);
  }

  /** How many transactions changed rows which exactly one of two snapshots sees. */
  differingChanges(one: TransactionSnapshot, other: TransactionSnapshot): number {
    return this.#changes.differing(one, other).length;
  }

  #unseenDelta(snapshot: TransactionSnapshot): bigint {
    const unseen = this.#changes.unseen(snapshot);
    return BigInt(unseen.reduce((sum, { delta }) => sum + delta, 0));
  }

  #isTooLong(): boolean {
    const { changes, rows } = this.#limits;
    return this.#changes.size > changes || this.#changes.rows > rows;
  }

  /**
   * Folds all changes that are kept. From now on only snapshots that see all of them can be used.
   */
  #drop(): void {
    this.#changes.foldAll();
    this.#begin = this.#lastXid;
  }
}
