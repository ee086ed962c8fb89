/** A key as the database prints it, in the order of its columns; null is NULL. */
export type KeyTexts = readonly (string | null)[];

export interface RowChange {
  readonly came?: KeyTexts;
  readonly went?: KeyTexts;
  /** The key of a changed row that kept it; then the only member. */
  readonly stays?: KeyTexts;
}

export interface RelationChange {
  /** The top transaction's 64-bit id. */
  readonly xid: bigint;
  readonly rows: readonly RowChange[];
  /**
   * Whether rows are missing: after a TRUNCATE, too many changes, or without a key in the log.
   * Totals and page indexes are forgotten then.
   */
  readonly truncated: boolean;
}
