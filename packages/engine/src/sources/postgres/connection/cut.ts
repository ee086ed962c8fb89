import type { ReadCall } from '../../read-call.ts';

/**
 * A state of all servers of a cluster that is looked for: it is one if none of them has changed
 * from before the first snapshot of a transaction was taken until after the last one was.
 */
export interface Cut {
  /**
   * Called when the snapshots are taken.
   *
   * @throws {NoCommonStateError} where they may be of different states
   */
  confirm(): Promise<void>;
}

/** Where a transaction may read several servers. */
export interface Cluster {
  /** Called before a transaction takes its first snapshot. */
  lookForCut(call: ReadCall): Promise<Cut>;
}
