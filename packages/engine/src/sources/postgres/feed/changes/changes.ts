/**
 * The texts of a row's key, as the database prints them, in the order of the key's columns; null
 * for NULL.
 */
export type KeyTexts = readonly (string | null)[];

/** What one row's change means for the keys of a relation. One that keeps its key has neither. */
export interface RowChange {
  /** The key that the relation has from now on. */
  readonly came?: KeyTexts;
  /** The key that it has no longer. */
  readonly went?: KeyTexts;
}

/** What one committed transaction did to a relation; there is none where it did nothing. */
export interface RelationChange {
  /** The id of the transaction, not of a subtransaction, with all of its 64 bits. */
  readonly xid: bigint;
  /** The rows in the order in which they were written. */
  readonly rows: readonly RowChange[];
  /**
   * Whether rows came or went that are not listed: it emptied the relation, it changed more rows
   * than are kept, or the log has no key for them. What is known of the relation ends here.
   */
  readonly truncated: boolean;
}

/** Which transactions a statement sees, by ids of 64 bits that never come again. */
export interface Snapshot64 {
  /** The oldest transaction that ran. All before it had ended. */
  readonly xmin: bigint;
  /** The first id that was not yet given to a transaction. */
  readonly xmax: bigint;
  /** Those that ran, of the ids from `xmin` up to `xmax`. */
  readonly xip: ReadonlySet<bigint>;
  /** Whether what a transaction wrote is seen, given that it committed. */
  sees(xid: bigint): boolean;
}
