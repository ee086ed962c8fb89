/**
 * The texts of a row's key, as the database prints them, in the order of the key's columns; null
 * for NULL.
 */
export type KeyTexts = readonly (string | null)[];

/** What the change of one row does to the keys of a relation. */
export interface RowChange {
  /** The key that the relation has from now on. */
  readonly came?: KeyTexts;
  /** The key that it has no longer. */
  readonly went?: KeyTexts;
  /** The key of a row that was changed and kept it; it has no other member then. */
  readonly stays?: KeyTexts;
}

/** What one committed transaction did to a relation. */
export interface RelationChange {
  /** The id of the transaction, not of a subtransaction, with all of its 64 bits. */
  readonly xid: bigint;
  /** The rows in the order in which they were written. */
  readonly rows: readonly RowChange[];
  /**
   * Whether rows came or went that are not listed: the transaction emptied the relation, changed
   * more rows than are kept, or the log has no key for them. Totals and page indexes of the
   * relation are forgotten then.
   */
  readonly truncated: boolean;
}
