import type { ReadCall } from '../../read-call.ts';

/** A state of all servers of a cluster that is looked for while a transaction takes snapshots. */
export interface Cut {
  /**
   * Called when the snapshots are taken.
   *
   * @param own which server they were taken through. Default: that is not known
   * @throws {NoCommonStateError} where they may be of different states
   */
  confirm(own?: string): Promise<void>;
  /** Called instead where they are not taken, so that nobody waits for them. */
  leave(): void;
}

/** Where a transaction may read several servers. */
export interface Cluster {
  /** Called before a transaction takes its first snapshot. */
  lookForCut(call: ReadCall): Promise<Cut>;
}
