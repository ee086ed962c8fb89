import type { RelationChange } from './changes.ts';
import type { RowCondition } from './row-condition.ts';
import { RowLog } from './row-log.ts';
import type { TransactionSnapshot } from './snapshot.ts';

/** What selects the rows of a list among those of its relation. */
export interface ListedRows {
  /** All rows where undefined. */
  readonly condition: RowCondition | undefined;
  /** The columns of the keys in its log; undefined where rows are only counted. */
  readonly key: readonly string[] | undefined;
}

/** The log of the relation to which the rows of a list belong. */
export interface ListedLog {
  /** The transactions whose changes it keeps. */
  readonly xids: readonly bigint[];
  isUsable(snapshot: TransactionSnapshot): boolean;
}

/** What one committed transaction did to the rows of a list. */
export interface ListChange extends Omit<RelationChange, 'xid'> {
  /** How many rows came, less those that went, listed or not. */
  readonly delta: number;
}

/**
 * The committed changes of the rows of a list since the list began to be followed, and its total.
 * It lacks earlier changes, so it can be used only for snapshots that see all of these.
 */
export class ListLog extends RowLog {
  readonly rows: ListedRows;
  readonly #relation: ListedLog;
  #missing: readonly bigint[];

  constructor(relation: ListedLog, rows: ListedRows) {
    super();
    this.#relation = relation;
    this.rows = rows;
    this.#missing = relation.xids;
  }

  isUsable(snapshot: TransactionSnapshot): boolean {
    return this.#relation.isUsable(snapshot) && this.#missing.every((xid) => snapshot.sees(xid));
  }

  /**
   * @param change undefined where the list began to be followed while the transaction was being
   *   read, so that its changes are missing
   */
  append(xid: bigint, change: ListChange | undefined): void {
    if (change === undefined) return this.#miss(xid);
    const { rows, delta, truncated } = change;
    if (rows.length > 0 || delta !== 0 || truncated) this.add({ xid, rows, truncated }, delta);
  }

  /** Folds the changes that a snapshot sees. Every read from now on sees them too. */
  fold(snapshot: TransactionSnapshot): void {
    this.changes.fold(snapshot);
    this.#missing = this.#missing.filter((xid) => !snapshot.sees(xid));
  }

  /** Folds all changes: the log of the relation refuses every snapshot that does not see them. */
  foldAll(): void {
    this.changes.foldAll();
    this.#missing = [];
  }

  /**
   * Notes a transaction whose changes are missing. The total up to now does not include them, so it
   * is forgotten.
   */
  #miss(xid: bigint): void {
    this.#missing = [...this.#missing, xid];
    this.forget();
  }
}
