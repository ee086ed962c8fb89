import type { ReadCall } from '../../read-call.ts';

/** A state of all servers of a cluster that a transaction has to take its snapshots of. */
export interface Cut {
  /** What each of the servers shows while it is in that state. */
  readonly states: readonly string[];
  /**
   * Called when snapshots of these states are taken.
   *
   * @param own the state of the server that they were taken through
   * @throws {NoCommonStateError} where that is another one
   */
  confirm(own: string | undefined): Promise<void>;
  /**
   * Called instead where they are not taken, so that nobody waits for them.
   *
   * @param error why
   */
  leave(error: unknown): void;
}

/** Where a transaction may read several servers. */
export interface Cluster {
  /** Called before a transaction takes its first snapshot. */
  lookForCut(call: ReadCall): Promise<Cut>;
}
