import type { Condition } from '../../planning/condition.ts';
import type { FollowedOrder, FollowedIndex } from '../followed.ts';
import type { ReadCall } from '../read-call.ts';
import type { Versioned } from '../reads/primitives.ts';
import type { KeySnapshot } from '../reads/snapshot.ts';

/** Whether a total is followed now; `late`: not from this snapshot; `refused`: not worth it. */
export type CountOutcome = 'known' | 'late' | 'refused';

export interface RelationMoment {
  readonly version: string;
  /** Counts rows. Undefined where unknown; a condition may ask the database about changed rows. */
  total(condition?: Condition): Promise<bigint | undefined>;
  /**
   * Counts the first condition's rows, and others that it can count with them, to follow their
   * totals. Undefined for those that it has not counted.
   *
   * @param leastMs filtered lists are not worth following that take less to count
   */
  countLists(
    conditions: readonly (Condition | undefined)[],
    leastMs: number,
  ): Promise<readonly (CountOutcome | undefined)[]>;
  /** The followed page index of an order, as the snapshot sees it. Use it at once. */
  index(order: FollowedOrder): Promise<FollowedIndex | undefined>;
  /** Begins a followed index; false where the order cannot be followed. */
  beginIndex(order: FollowedOrder): Promise<boolean>;
}

export interface FollowedState {
  readonly total: bigint;
  /** When rows of the list were last seen to change, by `performance.now()`; equal: no change. */
  readonly changedAt: number;
}

export interface FollowedStates extends Versioned {
  /** One per list asked for; undefined where its total is not followed. */
  readonly lists: readonly (FollowedState | undefined)[];
  /** The snapshot is from after this moment of `performance.now()`, */
  readonly takenAt: number;
  /** and before this one. */
  readonly takenBy: number;
}

export interface FollowedCall extends ReadCall {
  /** Nobody waits, and callers do not use its connection. Default: false. */
  readonly isBackground?: boolean;
}

/** Reads in the snapshot of the moment. What it returns has its version. */
export type MomentWork<Read extends Versioned> = (
  snapshot: KeySnapshot,
  moment: RelationMoment,
) => Promise<Read>;
