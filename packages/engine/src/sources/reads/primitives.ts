/** What has the version of the data that was read. */
export interface Versioned {
  readonly version: string | undefined;
}

/** What needs no version. */
export function unversioned<Value extends object>(value: Value): Value & Versioned {
  return { ...value, version: undefined };
}

/** The only row of a statement, in the values of the database; undefined where it has none. */
export interface RowRead extends Versioned {
  readonly cells: readonly unknown[] | undefined;
}

/** The records that one statement read. */
export interface RowsRead extends Versioned {
  /** The text of a JSON array; undefined where it would be longer than `maxBytes`. */
  readonly json: string | undefined;
  readonly rows: number;
  /** The numbers behind the rows, where the statement has any. */
  readonly numbers?: readonly (bigint | null)[] | undefined;
  /**
   * A position in the log of the server that has everything which was read; absent where the read
   * did not ask for one.
   */
  readonly position?: string | undefined;
  /** How many records the list has in the same state; absent where that is not known. */
  readonly followedTotal?: bigint | undefined;
}

/** What the database has to sort for a statement of keys, as its planner estimates. */
export interface SortEstimate {
  /** 0 where an index brings the rows in order; infinity where the planner does not say. */
  readonly rows: number;
  /** How much memory a row takes while it is sorted, in bytes. */
  readonly rowBytes: number;
  /** How much memory a sort may take before it goes on in files, in bytes. */
  readonly memoryBytes: number;
  /**
   * What indexes are searched by, in the source's own words. Undefined where whatever is compared
   * with a column may be among it.
   */
  readonly conditions?: readonly string[] | undefined;
}
