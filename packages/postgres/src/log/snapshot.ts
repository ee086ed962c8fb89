/**
 * Which transactions a snapshot sees, as `pg_current_snapshot()` prints it: `xmin:xmax:xip,…`
 * (https://www.postgresql.org/docs/current/functions-info.html#FUNCTIONS-PG-SNAPSHOT-PARTS).
 * Transactions are known by their 64-bit ids, and by those of top-level transactions alone: the
 * list has no others, nor has the change log.
 */
export class TransactionSnapshot {
  /** All transactions before this one have ended. */
  readonly xmin: bigint;
  /** This transaction and all after it had not ended. */
  readonly xmax: bigint;
  /** The transactions between the two that had not ended. */
  readonly xip: ReadonlySet<bigint>;

  private constructor(xmin: bigint, xmax: bigint, xip: ReadonlySet<bigint>) {
    this.xmin = xmin;
    this.xmax = xmax;
    this.xip = xip;
  }

  /** @throws {Error} when the text is not a snapshot's */
  static parse(text: string): TransactionSnapshot {
    const parts = /^(\d+):(\d+):((?:\d+(?:,\d+)*)?)$/.exec(text);
    if (parts === null) throw new Error(`${JSON.stringify(text)} is not a snapshot.`);
    const [, xmin = '', xmax = '', list = ''] = parts;
    const xip = list === '' ? [] : list.split(',').map(BigInt);
    return new TransactionSnapshot(BigInt(xmin), BigInt(xmax), new Set(xip));
  }

  /** Whether it sees what a committed transaction wrote. */
  sees(xid: bigint): boolean {
    return xid < this.xmax && (xid < this.xmin || !this.xip.has(xid));
  }

  /** Whether it sees every transaction that another snapshot sees. */
  seesAllOf(other: TransactionSnapshot): boolean {
    // The last transaction before `xmax` has ended, and the other snapshot sees it.
    if (this.xmax < other.xmax) return false;
    for (const xid of this.xip) if (other.sees(xid)) return false;
    return true;
  }
}
