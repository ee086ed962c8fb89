/** A database server that runs for the tests, and for them alone. */
export interface TestServer {
  /** Where it answers, as its superuser, such as `postgres://postgres@127.0.0.1:21345/postgres`. */
  readonly url: string;
  /** The folder of its data. */
  readonly directory: string;
  /** The process that was started; tests may send it signals. */
  readonly pid: number;
  /** Everything that the server logged so far. */
  log(): Promise<string>;
  /**
   * Runs SQL through the database's own command-line client and gives what it prints, unaligned and
   * without headers.
   */
  client(sql: string): Promise<string>;
  stop(): Promise<void>;
}
