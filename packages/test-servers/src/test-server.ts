/** A database that tests may fill. */
export interface TestDatabase {
  /** Where it answers, as its superuser, such as `postgres://postgres@127.0.0.1:21345/postgres`. */
  readonly url: string;
  /** Everything that its server logged since the test has it. */
  log(): Promise<string>;
  /**
   * Runs SQL through the database's own command-line client and gives what it prints, unaligned and
   * without headers.
   */
  client(sql: string): Promise<string>;
}

/** A database server that runs for the tests, and for them alone. */
export interface TestServer extends TestDatabase {
  /** The folder of its data. */
  readonly directory: string;
  /** The process that was started; tests may send it signals. */
  readonly pid: number;
  stop(): Promise<void>;
}
