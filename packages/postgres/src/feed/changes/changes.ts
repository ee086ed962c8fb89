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
  /** Rows are missing: TRUNCATE, too many, or no key. Totals and page indexes are forgotten. */
  readonly truncated: boolean;
}
