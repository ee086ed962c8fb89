import type { RelationChange, RowChange } from './transactions.ts';
import type { TransactionSnapshot } from '../../log/snapshot.ts';
import { deltaOf, UnfoldedChanges } from './unfolded-changes.ts';

export interface LogLimits {
  readonly changes: number;
  readonly rows: number;
}

const LOG_LIMITS: LogLimits = { changes: 20_000, rows: 100_000 };

/** Estimated memory, with a key of two short columns. */
const CHANGE_BYTES = 200;
const ROW_BYTES = 200;

export interface ChangeListener {
  append(change: RelationChange): void;
  /** Changes are missing: drop what was derived from earlier ones. */
  forget(): void;
}

/**
 * Committed changes of a relation, with its total. A snapshot's total lacks the changes that it
 * doesn't see: exact once all that it sees are appended.
 *
 * Changes that all running, and so all later, reads see are folded: no longer kept, and snapshots
 * without them can't be used.
 */
export class RelationLog {
  readonly #limits: LogLimits;
  readonly #reads = new RunningReads();
  readonly #listeners = new Set<ChangeListener>();
  readonly #changes = new UnfoldedChanges();
  /** Of a snapshot that sees all changes. */
  #total: bigint | undefined;
  /** Usable snapshots see these transactions and all before them as ended. */
  #begin: bigint | number = Infinity;
  #lastDropped = 0n;
  #lastXid = 0n;
  /** Usable snapshots see the changes that this one sees, which are folded. */
  #floor: TransactionSnapshot | undefined;

  constructor(begin?: bigint, limits = LOG_LIMITS) {
    this.#limits = limits;
    if (begin !== undefined) this.begin(begin);
  }

  get hasBegun(): boolean {
    return this.#begin !== Infinity;
  }

  /** @param xid all later transactions are appended; earlier ones may be missing */
  begin(xid: bigint): void {
    this.#begin = xid;
    this.#changes.begin(xid);
  }

  get size(): number {
    return this.#changes.size;
  }

  get bytes(): number {
    return this.#changes.size * CHANGE_BYTES + this.#changes.rows * ROW_BYTES;
  }

  listen(listener: ChangeListener): void {
    this.#listeners.add(listener);
  }

  unlisten(listener: ChangeListener): void {
    this.#listeners.delete(listener);
  }

  append(change: RelationChange): void {
    this.#changes.append(change);
    if (this.#total !== undefined) this.#total += BigInt(deltaOf(change));
    for (const listener of this.#listeners) listener.append(change);
    if (change.truncated) this.forget();
    if (change.xid > this.#lastXid) this.#lastXid = change.xid;
    if (this.#isTooLong()) this.#drop();
  }

  /** Forgets the total; listeners forget what they derived. */
  forget(): void {
    this.#total = undefined;
    for (const listener of this.#listeners) listener.forget();
  }

  /** Begins a read, before its snapshot. Every read must be ended. */
  beginRead(): RunningRead {
    return this.#reads.begin();
  }

  /** Call it once all that a running read's snapshot sees is appended. */
  noteSnapshot(snapshot: TransactionSnapshot): void {
    if (this.isUsable(snapshot)) this.#reads.note(snapshot);
  }

  endRead(read: RunningRead): void {
    const floor = this.#reads.end(read);
    if (floor === undefined) return;
    this.#floor = floor;
    this.#changes.fold(floor);
  }

  /** Whether a snapshot sees all folded or missing changes. */
  isUsable(snapshot: TransactionSnapshot): boolean {
    if (snapshot.xmin <= this.#begin || snapshot.xmin <= this.#lastDropped) return false;
    return this.#floor === undefined || snapshot.seesAllOf(this.#floor);
  }

  /** Equal exactly if two see the same changes, even in two logs that both have the last one. */
  version(snapshot: TransactionSnapshot): string | undefined {
    return this.isUsable(snapshot) ? this.#changes.version(snapshot) : undefined;
  }

  get hasTotal(): boolean {
    return this.#total !== undefined;
  }

  total(snapshot: TransactionSnapshot): bigint | undefined {
    if (this.#total === undefined || !this.isUsable(snapshot)) return undefined;
    return this.#total - this.#unseenDelta(snapshot);
  }

  /** Whether a count would make the total known: not while a kept change lacks its rows. */
  canLearnTotal(snapshot: TransactionSnapshot): boolean {
    return this.isUsable(snapshot) && !this.#changes.truncated;
  }

  /** Takes a running read's count; returns whether the total is now known. */
  learnTotal(snapshot: TransactionSnapshot, total: bigint): boolean {
    if (!this.canLearnTotal(snapshot)) return false;
    this.#total = total + this.#unseenDelta(snapshot);
    return true;
  }

  unseenRows(snapshot: TransactionSnapshot): readonly RowChange[] | undefined {
    if (!this.isUsable(snapshot) || this.#changes.truncated) return undefined;
    return this.#changes.unseen(snapshot).flatMap(({ rows }) => rows);
  }

  /** JSON texts of the keys that may differ between two running reads; undefined where unknown. */
  differingKeys(one: TransactionSnapshot, other: TransactionSnapshot): Set<string> | undefined {
    if (!this.isUsable(one) || !this.isUsable(other)) return undefined;
    return this.#changes.differingKeys(one, other);
  }

  /** Whether two running reads see the same changes. */
  isSame(one: TransactionSnapshot, other: TransactionSnapshot): boolean {
    return this.isUsable(one) && this.isUsable(other) && this.differingChanges(one, other) === 0;
  }

  /** Transactions that exactly one of two snapshots sees. */
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

  /** Folds all changes: only snapshots that see them remain usable. */
  #drop(): void {
    this.#changes.foldAll();
    this.#lastDropped = this.#lastXid;
  }
}

export interface RunningRead {
  readonly number: number;
}

/** Every read that begins after the snapshot sees all that it sees. */
interface Candidate {
  readonly snapshot: TransactionSnapshot;
  readonly begun: number;
}

/** Finds snapshots that all running and later reads see, so that their changes can be folded. */
export class RunningReads {
  readonly #running = new Set<RunningRead>();
  #begun = 0;
  #candidate: Candidate | undefined;

  begin(): RunningRead {
    const read = { number: this.#begun };
    this.#begun += 1;
    this.#running.add(read);
    return read;
  }

  /** Ignored while an earlier snapshot waits for reads to end. */
  note(snapshot: TransactionSnapshot): void {
    this.#candidate ??= { snapshot, begun: this.#begun };
  }

  /** Returns a snapshot that from now on every read sees in full, if there is one. */
  end(read: RunningRead): TransactionSnapshot | undefined {
    this.#running.delete(read);
    const [oldest] = this.#running;
    const candidate = this.#candidate;
    if (candidate === undefined || (oldest?.number ?? Infinity) < candidate.begun) return undefined;
    this.#candidate = undefined;
    return candidate.snapshot;
  }
}
