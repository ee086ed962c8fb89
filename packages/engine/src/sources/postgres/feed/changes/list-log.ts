import type { RelationChange } from './changes.ts';
import type { RowCondition } from './row-condition.ts';
import { RowLog } from './row-log.ts';
import type { TransactionSnapshot } from './snapshot.ts';

/** Which rows of a relation a list has. */
export interface ListedRows {
  /** All rows where undefined. */
  readonly condition: RowCondition | undefined;
  /** The columns of the keys in its log; undefined where rows are only counted. */
  readonly key: readonly string[] | undefined;
}

/** The log of a relation, some of whose rows a list has. */
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
 * The committed changes of the rows of a relation that a list has, from the moment on in which the
 * list began, and their total. Of snapshots that do not see a change from before, which it has not,
 * it knows nothing.
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

  /** @param change undefined where the list began while the transaction was being read */
  append(xid: bigint, change: ListChange | undefined): void {
    if (change === undefined) return this.#miss(xid);
    const { rows, delta, truncated } = change;
    if (rows.length > 0 || delta !== 0 || truncated) this.add({ xid, rows, truncated }, delta);
  }

  /** Folds what a snapshot sees, as does every read from now on. */
  fold(snapshot: TransactionSnapshot): void {
    this.changes.fold(snapshot);
    this.#missing = this.#missing.filter((xid) => !snapshot.sees(xid));
  }

  /** Folds all, as every snapshot from now on sees it. */
  foldAll(): void {
    this.changes.foldAll();
    this.#missing = [];
  }

  /** What is known of snapshots that do not see the transaction says nothing of those that do. */
  #miss(xid: bigint): void {
    this.#missing = [...this.#missing, xid];
    this.forget();
  }
}
