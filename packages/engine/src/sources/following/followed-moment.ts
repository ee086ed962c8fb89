import type { Condition } from '../../planning/condition.ts';
import type { FollowedOrder, FollowedIndex } from '../followed.ts';
import type { ReadCall } from '../read-call.ts';
import type { Versioned } from '../reads/primitives.ts';
import type { KeySnapshot } from '../reads/snapshot.ts';

export interface ListCount {
  readonly condition: Condition | undefined;
  readonly total: bigint;
}

export interface RelationMoment {
  readonly version: string;
  /** Counts rows. Undefined where unknown; a condition may ask the database about changed rows. */
  total(condition?: Condition): Promise<bigint | undefined>;
  /**
   * Counts the first condition's rows, and others that it can count with them: `later` for the
   * rest, undefined where a total cannot be followed.
   *
   * @param most the largest number of lists, unless more take no longer than one
   */
  countLists(
    conditions: readonly (Condition | undefined)[],
    most: number,
  ): Promise<readonly (bigint | 'later' | undefined)[]>;
  /** Notes what {@link countLists} found; true if the totals are known now. */
  learnLists(counts: readonly ListCount[]): Promise<boolean>;
  /** Whether a count in this snapshot would make the unknown total known. */
  wantsTotal(): boolean;
  /** Notes the total that this snapshot counted; true if it is known now. */
  learnTotal(total: bigint): Promise<boolean>;
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
