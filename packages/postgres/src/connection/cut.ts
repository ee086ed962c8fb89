import type { ReadCall } from '@proj/engine/database';

/** A state of all servers of a cluster, of which a transaction takes its snapshots. */
export interface Cut {
  readonly states: readonly string[];
  /** Found before: snapshots aren't checked, but all servers must still be in it at the end. */
  readonly isKnown: boolean;
  /**
   * Takes the state of the server through which snapshots were taken.
   *
   * @throws {NoCommonStateError} where it is not of the cut
   */
  confirm(own: string | undefined): Promise<void>;
  /**
   * Called after all reads; resolves to their version, if there is one.
   *
   * @throws {NoCommonStateError} where a known state no longer holds
   */
  end(): Promise<string | undefined>;
  /** Called where no snapshots are taken, so that nobody waits for them. */
  leave(error: unknown): void;
}

export interface Cluster {
  /** Called before the first snapshot. `isQuick`: a retry is cheap. Default: false. */
  lookForCut(call: ReadCall, isQuick?: boolean): Promise<Cut>;
}
