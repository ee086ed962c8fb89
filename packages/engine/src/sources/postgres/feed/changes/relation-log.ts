import type { RelationChange } from './changes.ts';
import type { ListChange, ListLog } from './list-log.ts';
import { RowLog } from './row-log.ts';
import { type RunningRead, RunningReads } from './running-reads.ts';
import type { TransactionSnapshot } from './snapshot.ts';

/** How much a log keeps of changes that not every read sees. */
export interface LogLimits {
  readonly changes: number;
  /** Rows that came and went, in all changes together, and those of its lists. */
  readonly rows: number;
}

const LOG_LIMITS: LogLimits = { changes: 20_000, rows: 100_000 };

/** What a transaction did to the lists of a relation. */
export type ListChanges = ReadonlyMap<ListLog, ListChange>;

const NO_LISTS: ListChanges = new Map();

/**
 * The committed changes of one relation, and its total. It also decides which changes the logs of
 * its lists fold.
 */
export class RelationLog extends RowLog {
  readonly #limits: LogLimits;
  readonly #reads = new RunningReads();
  #lists: readonly ListLog[] = [];
  /** Only snapshots that see all transactions before this one as ended can be used. */
  #firstXid: bigint;
  #lastXid = 0n;
  /**
   * The changes that this snapshot sees are folded: only snapshots that also see them can be used.
   */
  #floor: TransactionSnapshot | undefined;

  /**
   * @param firstXid every transaction from this one on that commits is appended; those before may
   *   be missing
   */
  constructor(firstXid: bigint, limits = LOG_LIMITS) {
    super();
    this.#firstXid = firstXid;
    this.#limits = limits;
  }

  override get bytes(): number {
    return this.#lists.reduce((sum, list) => sum + list.bytes, super.bytes);
  }

  /** The lists whose changes are wanted; another array when they are others. */
  get lists(): readonly ListLog[] {
    return this.#lists;
  }

  /** The transactions whose changes are kept. */
  get xids(): bigint[] {
    return this.changes.xids;
  }

  /** Begins to pass changes on to a list. */
  addList(list: ListLog): void {
    this.#lists = [...this.#lists, list];
  }

  removeList(list: ListLog): void {
    this.#lists = this.#lists.filter((other) => other !== list);
  }

  /** Adds the change of a transaction, in the order of commits, with what it did to lists. */
  append(change: RelationChange, ofLists = NO_LISTS): void {
    this.add(change);
    if (change.xid > this.#lastXid) this.#lastXid = change.xid;
    for (const list of this.#lists) list.append(change.xid, ofLists.get(list));
    if (this.#isTooLong()) this.#drop();
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
    this.changes.fold(floor);
    for (const list of this.#lists) list.fold(floor);
  }

  isUsable(snapshot: TransactionSnapshot): boolean {
    if (snapshot.xmin < this.#firstXid) return false;
    return this.#floor === undefined || snapshot.seesAllOf(this.#floor);
  }

  /**
   * Which of the changes a snapshot sees: equal texts if and only if two snapshots see the same.
   * Undefined where that is not known.
   */
  version(snapshot: TransactionSnapshot): string | undefined {
    return this.isUsable(snapshot) ? this.changes.version(snapshot) : undefined;
  }

  /**
   * The keys of all rows that may differ between the snapshots of two running reads, each as a JSON
   * array of its texts. Undefined where they are not known.
   */
  differingKeys(one: TransactionSnapshot, other: TransactionSnapshot): Set<string> | undefined {
    if (!this.isUsable(one) || !this.isUsable(other)) return undefined;
    return this.changes.differingKeys(one, other);
  }

  #isTooLong(): boolean {
    const { changes, rows } = this.#limits;
    return this.changes.size > changes || this.#keptRows > rows;
  }

  /** The rows that are kept; a change of a list that keeps no keys counts as a quarter of a row. */
  get #keptRows(): number {
    return this.#lists.reduce((sum, list) => sum + list.rowCount + list.size / 4, this.rowCount);
  }

  /**
   * Folds all changes that are kept. From now on only snapshots that see all of them can be used.
   */
  #drop(): void {
    this.changes.foldAll();
    for (const list of this.#lists) list.foldAll();
    this.#firstXid = this.#lastXid + 1n;
  }
}
