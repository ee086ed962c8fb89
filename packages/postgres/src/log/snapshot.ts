/**
 * As `pg_current_snapshot()` prints them: `xmin:xmax:xip,…`. Ids have 64 bits and are of top-level
 * transactions only, as in the change log.
 */
export class TransactionSnapshot {
  /** All transactions before this one have ended. */
  readonly xmin: bigint;
  /** This transaction and all later ones had not ended. */
  readonly xmax: bigint;
  readonly xip: ReadonlySet<bigint>;

  private constructor(xmin: bigint, xmax: bigint, xip: ReadonlySet<bigint>) {
    this.xmin = xmin;
    this.xmax = xmax;
    this.xip = xip;
  }

  static parse(text: string): TransactionSnapshot {
    const parts = /^(\d+):(\d+):((?:\d+(?:,\d+)*)?)$/.exec(text);
    if (parts === null) throw new Error(`${JSON.stringify(text)} is not a snapshot.`);
    const [, xmin = '', xmax = '', list = ''] = parts;
    const xip = list === '' ? [] : list.split(',').map(BigInt);
    return new TransactionSnapshot(BigInt(xmin), BigInt(xmax), new Set(xip));
  }

  sees(xid: bigint): boolean {
    return xid < this.xmax && (xid < this.xmin || !this.xip.has(xid));
  }

  seesAllOf(other: TransactionSnapshot): boolean {
    // The last transaction before `xmax` has ended, and the other snapshot sees it.
    if (this.xmax < other.xmax) return false;
    for (const xid of this.xip) if (other.sees(xid)) return false;
    return true;
  }
}
