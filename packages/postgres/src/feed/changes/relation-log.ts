import { deltaOf, type KeyTexts, type RelationChange, type RowChange } from './transactions.ts';
import type { TransactionSnapshot } from '../../log/snapshot.ts';

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

/** With its place among the relation's changes, from 1 on, in commit order. */
interface PlacedChange extends RelationChange {
  readonly place: number;
  readonly delta: number;
}

type Place = Pick<PlacedChange, 'place' | 'xid'>;

type Seeing = Pick<TransactionSnapshot, 'sees'>;

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
  #changes: PlacedChange[] = [];
  #rows = 0;
  #appended = 0;
  /** At first the last transaction before the first change. */
  #lastFolded: Place = { place: 0, xid: 0n };
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
    if (this.#lastFolded.place === 0) this.#lastFolded = { place: 0, xid };
  }

  get size(): number {
    return this.#changes.length;
  }

  get bytes(): number {
    return this.#changes.length * CHANGE_BYTES + this.#rows * ROW_BYTES;
  }

  listen(listener: ChangeListener): void {
    this.#listeners.add(listener);
  }

  unlisten(listener: ChangeListener): void {
    this.#listeners.delete(listener);
  }

  append(change: RelationChange): void {
    const delta = deltaOf(change.rows);
    this.#appended += 1;
    this.#changes.push({ ...change, place: this.#appended, delta });
    this.#rows += change.rows.length;
    if (this.#total !== undefined) this.#total += BigInt(delta);
    for (const listener of this.#listeners) listener.append(change);
    if (change.truncated) this.forget();
    if (change.xid > this.#lastXid) this.#lastXid = change.xid;
    if (this.#changes.length > this.#limits.changes || this.#rows > this.#limits.rows) this.#drop();
  }

  forget(): void {
    this.#total = undefined;
    for (const listener of this.#listeners) listener.forget();
  }

  /** Begins a read, before its snapshot. Returns what must end it. */
  beginRead(): () => void {
    const read = this.#reads.begin();
    return () => {
      const floor = this.#reads.end(read);
      if (floor === undefined) return;
      this.#floor = floor;
      this.#fold(floor);
    };
  }

  /** Call it once all that a running read's snapshot sees is appended. */
  noteSnapshot(snapshot: TransactionSnapshot): void {
    if (this.isUsable(snapshot)) this.#reads.note(snapshot);
  }

  /** Whether a snapshot sees all folded or missing changes. */
  isUsable(snapshot: TransactionSnapshot): boolean {
    if (snapshot.xmin <= this.#begin || snapshot.xmin <= this.#lastDropped) return false;
    return this.#floor === undefined || snapshot.seesAllOf(this.#floor);
  }

  /**
   * The last change that a snapshot sees, and the earlier ones that it doesn't. Equal texts if and
   * only if two snapshots see the same changes, wherever their logs begin.
   */
  version(snapshot: TransactionSnapshot): string | undefined {
    if (!this.isUsable(snapshot)) return undefined;
    const last = this.#lastSeen(snapshot);
    const unseen = this.#unseen(snapshot).filter(({ place }) => place < last.place);
    return [last, ...unseen].map(({ xid }) => xid).join('-');
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
    return this.isUsable(snapshot) && !this.#changes.some(({ truncated }) => truncated);
  }

  /** Takes a running read's count; returns whether the total is now known. */
  learnTotal(snapshot: TransactionSnapshot, total: bigint): boolean {
    if (!this.canLearnTotal(snapshot)) return false;
    this.#total = total + this.#unseenDelta(snapshot);
    return true;
  }

  unseenRows(snapshot: TransactionSnapshot): readonly RowChange[] | undefined {
    if (!this.canLearnTotal(snapshot)) return undefined;
    return this.#unseen(snapshot).flatMap(({ rows }) => rows);
  }

  /** JSON texts of the keys that may differ between two running reads; undefined where unknown. */
  differingKeys(one: TransactionSnapshot, other: TransactionSnapshot): Set<string> | undefined {
    if (!this.isUsable(one) || !this.isUsable(other)) return undefined;
    const differing = this.#differing(one, other);
    if (differing.some(({ truncated }) => truncated)) return undefined;
    const changes = differing.flatMap(({ rows }) => rows);
    const keys = changes.flatMap((change) => Object.values<KeyTexts>({ ...change }));
    return new Set(keys.map((key) => JSON.stringify(key)));
  }

  isSame(one: TransactionSnapshot, other: TransactionSnapshot): boolean {
    return this.isUsable(one) && this.isUsable(other) && this.differingChanges(one, other) === 0;
  }

  /** Transactions that exactly one of two snapshots sees. */
  differingChanges(one: TransactionSnapshot, other: TransactionSnapshot): number {
    return this.#differing(one, other).length;
  }

  #differing(one: Seeing, other: Seeing): PlacedChange[] {
    return this.#changes.filter(({ xid }) => one.sees(xid) !== other.sees(xid));
  }

  #unseen(snapshot: Seeing): PlacedChange[] {
    return this.#changes.filter(({ xid }) => !snapshot.sees(xid));
  }

  #unseenDelta(snapshot: Seeing): bigint {
    return BigInt(this.#unseen(snapshot).reduce((sum, { delta }) => sum + delta, 0));
  }

  #lastSeen(snapshot: Seeing): Place {
    const last = this.#changes.findLast(({ xid }) => snapshot.sees(xid));
    return last !== undefined && last.place > this.#lastFolded.place ? last : this.#lastFolded;
  }

  #fold(snapshot: Seeing): void {
    this.#lastFolded = this.#lastSeen(snapshot);
    this.#changes = this.#unseen(snapshot);
    this.#rows = this.#changes.reduce((sum, { rows }) => sum + rows.length, 0);
  }

  /** Only snapshots that see all changes remain usable. */
  #drop(): void {
    this.#fold({ sees: () => true });
    this.#lastDropped = this.#lastXid;
  }
}

/** Every read that begins after the snapshot sees all that it sees. */
interface Candidate {
  readonly snapshot: TransactionSnapshot;
  readonly begun: number;
}

/** Finds snapshots that all running and later reads see, so that their changes can be folded. */
export class RunningReads {
  /** Their numbers, the oldest first. */
  readonly #running = new Set<number>();
  #begun = 0;
  #candidate: Candidate | undefined;

  begin(): number {
    this.#running.add(this.#begun);
    return this.#begun++;
  }

  /** Ignored while an earlier snapshot waits for reads to end. */
  note(snapshot: TransactionSnapshot): void {
    this.#candidate ??= { snapshot, begun: this.#begun };
  }

  /** Returns a snapshot that from now on every read sees in full, if there is one. */
  end(read: number): TransactionSnapshot | undefined {
    this.#running.delete(read);
    const [oldest = Infinity] = this.#running;
    const candidate = this.#candidate;
    if (candidate === undefined || oldest < candidate.begun) return undefined;
    this.#candidate = undefined;
    return candidate.snapshot;
  }
}
