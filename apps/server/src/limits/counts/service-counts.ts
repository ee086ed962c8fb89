import type { Consumption, Usage } from './rate-limit-state.ts';

/** What the processes of one service count together. */
export interface ServiceCounts {
  /** How many processes there are. */
  readonly workers: number;
  /** @throws {QueryFailedError} `overloaded` when it cannot be counted in time */
  consume(consumptions: readonly Consumption[]): Promise<Usage[]>;
  /**
   * Takes a slot for a query out of the pool that the processes share for a token.
   *
   * @param pool how many slots there are in it
   * @returns whether it was granted, and how many are lent now
   * @throws {QueryFailedError} `overloaded` when it cannot be had in time
   */
  borrow(
    token: string,
    pool: number,
  ): Promise<{ readonly granted: boolean; readonly lent: number }>;
  /** Gives a slot back. */
  giveBack(token: string): void;
}
