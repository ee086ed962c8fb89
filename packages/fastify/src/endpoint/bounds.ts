import type { Ask } from './ask.ts';

/** Limits of a caller; what a host leaves out is unlimited. */
export interface Bounds {
  /**
   * Takes a slot for a query, until the reply is sent: callers who do not read their replies cannot
   * start more. If the caller leaves, until the query has ended in the database.
   *
   * @returns ends the query
   * @throws {HttpProblem} `rate_limited` when the caller has no slot left
   */
  takeSlot?(ask: Ask): Promise<() => void>;
  /**
   * Counts what a query may return, until the reply is sent and its records are counted.
   *
   * @throws {HttpProblem} `quota_exceeded` when nothing is left beside what runs
   */
  takeRecords?(ask: Ask): Promise<void>;
  /**
   * Counts the records of an export before the first is sent, whether or not the caller reads them.
   *
   * @throws {HttpProblem} `quota_exceeded` when they are more than what is left
   */
  reserveRecords?(ask: Ask, total: bigint): Promise<void>;
  /**
   * Takes a slot for a watch, until its reply ends.
   *
   * @throws {HttpProblem} `rate_limited` when the caller has no slot left
   */
  takeWatch?(ask: Ask): Promise<void>;
  /** Takes memory for a text until it is sent, or its caller has left. */
  holdMemory?(ask: Ask, text: string): Promise<void>;
}
