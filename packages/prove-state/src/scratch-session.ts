/** A connection of the operator's own, beside those of the service. */
export interface ScratchSession {
  /** The rows of one statement, which is a transaction of its own. */
  readonly rows: (sql: string) => Promise<readonly (readonly unknown[])[]>;
  /** Runs the statements in one transaction, all of them or none. */
  readonly transaction: (statements: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A database in which tables are made, by the scheme of its URL. */
export interface ScratchDatabase {
  readonly open: () => Promise<ScratchSession>;
  /** A name as a statement has it. */
  readonly quoted: (name: string) => string;
  /** The names of a table's columns, one a row; no row where there is no such table. */
  readonly columnsOf: (table: string) => string;
  /** What distributes a new table over the servers of a cluster, where there is one. */
  readonly distribute: (session: ScratchSession, table: string) => Promise<void>;
}
