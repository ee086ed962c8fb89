import type { Condition } from '../../planning/condition.ts';
import type { FollowedOrder, FollowedIndex } from '../followed.ts';
import type { ReadCall } from '../read-call.ts';
import type { Versioned } from '../reads/primitives.ts';
import type { KeySnapshot } from '../reads/snapshot.ts';

/** How many rows meet a condition. */
export interface ListCount {
  /** All rows that are shown where undefined. */
  readonly condition: Condition | undefined;
  readonly total: bigint;
}

/** What is known of a relation in the snapshot of a read, since its changes were followed. */
export interface RelationMoment {
  /** The version of the relation. */
  readonly version: string;
  /**
   * How many rows meet a condition, or how many there are; undefined where that is not known. For a
   * condition the database may be asked about rows that were changed.
   */
  total(condition?: Condition): Promise<bigint | undefined>;
  /**
   * Counts the rows that meet conditions: the first one, and as many others as can be counted at
   * the same time. Undefined for those whose total cannot be followed, and `later` for those that
   * are not counted now.
   *
   * @param most so many at most, unless they take no longer than one
   */
  countLists(
    conditions: readonly (Condition | undefined)[],
    most: number,
  ): Promise<readonly (bigint | 'later' | undefined)[]>;
  /** Notes what {@link countLists} found. Returns whether the totals are known now. */
  learnLists(counts: readonly ListCount[]): Promise<boolean>;
  /** Whether the total of all rows is unknown, and a count in this snapshot would make it known. */
  wantsTotal(): boolean;
  /**
   * Notes how many rows a count in the snapshot has found. Returns whether the total is known now.
   */
  learnTotal(total: bigint): Promise<boolean>;
  /**
   * The page index of an order that follows the changes, as the snapshot sees it; undefined where
   * there is none. It has to be used at once.
   */
  index(order: FollowedOrder): Promise<FollowedIndex | undefined>;
  /** Begins such an index. Returns whether the order is one that can be followed. */
  beginIndex(order: FollowedOrder): Promise<boolean>;
}

/** A list whose total is followed, in one snapshot. */
export interface FollowedState {
  readonly total: bigint;
  /**
   * When it was last found that rows of the list were changed, came or went, as a moment of
   * `performance.now()`. Equal in two states only if none were between them.
   */
  readonly changedAt: number;
}

/** Lists of a followed relation in one snapshot. */
export interface FollowedStates extends Versioned {
  /** For each list that was asked for; undefined where its total is not followed. */
  readonly lists: readonly (FollowedState | undefined)[];
  /** The snapshot was taken after this moment of `performance.now()`, */
  readonly takenAt: number;
  /** and before this one. */
  readonly takenBy: number;
}

/** A call of work on a followed relation. */
export interface FollowedCall extends ReadCall {
  /** Nobody waits for it, and it has a connection that callers do not use. Default: false. */
  readonly isBackground?: boolean;
}

/** Reads in the one snapshot in which the moment is known. What it returns has its version. */
export type MomentWork<Read extends Versioned> = (
  snapshot: KeySnapshot,
  moment: RelationMoment,
) => Promise<Read>;
