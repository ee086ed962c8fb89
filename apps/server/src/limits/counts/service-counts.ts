import type { Consumption, Usage } from './rate-limit-state.ts';

export interface ServiceCounts {
  readonly workers: number;
  /** @throws {QueryFailedError} `overloaded` when it cannot be counted in time */
  consume(consumptions: readonly Consumption[]): Promise<Usage[]>;
  /**
   * Takes a query slot of a token from the pool that the processes share.
   *
   * @param pool how many slots there are in it
   * @returns whether it was granted, and how many are lent now
   * @throws {QueryFailedError} `overloaded` when it cannot be had in time
   */
  borrow(
    token: string,
    pool: number,
  ): Promise<{ readonly granted: boolean; readonly lent: number }>;
  giveBack(token: string): void;
}
