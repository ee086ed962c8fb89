import type { ReadCall } from '@proj/engine/database';

/** A state of all servers of a cluster that a transaction has to take its snapshots of. */
export interface Cut {
  /** What each of the servers shows while it is in that state. */
  readonly states: readonly string[];
  /**
   * Whether it was found before, so that no server looks at its snapshot. What is read is of the
   * state where it is that of all servers still when all was read, whenever snapshots were taken.
   */
  readonly isKnown: boolean;
  /**
   * Called when snapshots of these states are taken.
   *
   * @param own the state of the server that they were taken through
   * @throws {NoCommonStateError} where that is another one
   */
  confirm(own: string | undefined): Promise<void>;
  /**
   * Called when all was read.
   *
   * @returns the version of what was read; undefined where there is none
   * @throws {NoCommonStateError} where a known state is no longer that of all servers
   */
  end(): Promise<string | undefined>;
  /**
   * Called where no snapshots are taken, so that nobody waits for them.
   *
   * @param error why
   */
  leave(error: unknown): void;
}

/** Where a transaction may read several servers. */
export interface Cluster {
  /**
   * Called before a transaction takes its first snapshot.
   *
   * @param isQuick whether a read takes so little that it may as well be done again where a server
   *   is written to before its end. Default: false
   */
  lookForCut(call: ReadCall, isQuick?: boolean): Promise<Cut>;
}
