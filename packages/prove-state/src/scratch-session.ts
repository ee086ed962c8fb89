/** A connection of the operator's own, beside those of the service. */
export interface ScratchSession {
  /** Runs one statement in a transaction of its own. */
  readonly rows: (sql: string) => Promise<readonly (readonly unknown[])[]>;
  /** Runs all of the statements in one transaction, or none. */
  readonly transaction: (statements: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface ScratchDatabase {
  readonly open: () => Promise<ScratchSession>;
  readonly quoted: (name: string) => string;
  /** Selects the names of a table's columns; no row without the table. */
  readonly columnsOf: (table: string) => string;
  /** Distributes a new table over the servers of a cluster, if there is one. */
  readonly distribute: (session: ScratchSession, table: string) => Promise<void>;
}
