import type { RelationChange, RowChange } from '../../src/feed/changes/transactions.ts';
import { TransactionSnapshot } from '../../src/log/snapshot.ts';

/** A transaction of the simulated server, of which one relation's rows are known by numbers. */
interface Transaction {
  readonly xid: bigint;
  readonly rows: RowChange[];
  truncates: boolean;
}

/** A snapshot, and what it sees by the model: the rows, in the order of their keys. */
export interface SeenState {
  readonly snapshot: TransactionSnapshot;
  readonly rows: readonly number[];
  /** The transactions that it sees, which changed the relation. */
  readonly seen: string;
  /** How many commit records there were. */
  readonly position: number;
}

/**
 * A server on which transactions write rows of one relation, known by their numbers. A commit
 * record is in the log before the commit is visible, and commits become visible in any order.
 */
export class SimulatedServer {
  /** The commit records, in order. */
  readonly log: RelationChange[] = [];
  readonly #open: Transaction[] = [];
  /** Their commit records are in the log. */
  readonly #committing: Transaction[] = [];
  /** In the order in which they became visible. */
  readonly #visible: Transaction[] = [];
  readonly #locked = new Set<number>();
  readonly #firstRows: readonly number[];
  #nextXid = 100n;
  #xmax = 100n;

  /** @param rows those that are there from the start */
  constructor(rows: readonly number[] = []) {
    this.#firstRows = rows;
  }

  get nextXid(): bigint {
    return this.#nextXid;
  }

  get isQuiet(): boolean {
    return this.#open.length + this.#committing.length === 0;
  }

  begin(): void {
    this.#open.push({ xid: this.#nextXid, rows: [], truncates: false });
    this.#nextXid += 1n;
  }

  /** Inserts the row if it is not there, or deletes it, unless another transaction writes it. */
  toggle(which: number, row: number): void {
    const transaction = pick(this.#open, which);
    if (transaction === undefined || this.#locked.has(row)) return;
    this.#locked.add(row);
    const key = [String(row)];
    transaction.rows.push(this.#rows().has(row) ? { went: key } : { came: key });
  }

  /** Writes the commit record of an open transaction. */
  commit(which: number): void {
    const transaction = take(this.#open, which);
    if (transaction === undefined) return;
    this.#committing.push(transaction);
    const { xid, rows, truncates } = transaction;
    if (rows.length > 0 || truncates) this.log.push({ xid, rows, truncated: truncates });
  }

  /** Makes a commit visible whose record is in the log. */
  show(which: number): void {
    const transaction = take(this.#committing, which);
    if (transaction === undefined) return;
    this.#visible.push(transaction);
    this.#end(transaction);
  }

  rollBack(which: number): void {
    const transaction = take(this.#open, which);
    if (transaction !== undefined) this.#end(transaction);
  }

  /** Empties the relation in a transaction of its own, for which nobody may read or write. */
  truncate(): void {
    this.begin();
    const transaction = this.#open.at(-1);
    if (transaction !== undefined) transaction.truncates = true;
    this.commit(this.#open.length - 1);
    this.show(this.#committing.length - 1);
  }

  snapshot(): SeenState {
    const running = [...this.#open, ...this.#committing]
      .map(({ xid }) => xid)
      .filter((xid) => xid < this.#xmax)
      .toSorted((a, b) => (a < b ? -1 : 1));
    const text = `${running[0] ?? this.#xmax}:${this.#xmax}:${running.join(',')}`;
    const changed = this.#visible.filter(({ rows, truncates }) => rows.length > 0 || truncates);
    return {
      snapshot: TransactionSnapshot.parse(text),
      rows: [...this.#rows()].toSorted((a, b) => a - b),
      seen: changed
        .map(({ xid }) => xid)
        .toSorted((a, b) => (a < b ? -1 : 1))
        .join(),
      position: this.log.length,
    };
  }

  /** The rows that are visible. */
  #rows(): Set<number> {
    const rows = new Set(this.#firstRows);
    for (const transaction of this.#visible) {
      if (transaction.truncates) rows.clear();
      for (const { came, went } of transaction.rows) {
        if (came !== undefined) rows.add(Number(came[0]));
        if (went !== undefined) rows.delete(Number(went[0]));
      }
    }
    return rows;
  }

  #end({ xid, rows }: Transaction): void {
    for (const { came, went } of rows) this.#locked.delete(Number((came ?? went)?.[0]));
    if (xid >= this.#xmax) this.#xmax = xid + 1n;
  }
}

function pick<Item>(items: readonly Item[], which: number): Item | undefined {
  return items[which % items.length];
}

function take<Item>(items: Item[], which: number): Item | undefined {
  return items.length === 0 ? undefined : items.splice(which % items.length, 1)[0];
}
