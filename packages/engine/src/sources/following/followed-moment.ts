import type { Condition } from '../../planning/condition.ts';
import type { OrderedField } from '../../sql/clauses/page-clauses.ts';
import type { Key } from '../../sql/clauses/seek.ts';
import type { PageRange } from '../../sql/query-statements.ts';
import type { ReadCall } from '../read-call.ts';
import type { Versioned, KeyRows, KeySnapshot } from '../reads/snapshot.ts';

export interface FollowedOrder {
  /** Equal for equal orders of the same rows. */
  readonly key: string;
  readonly condition: Condition | undefined;
  readonly terms: readonly OrderedField[];
}

/** The place of a row: so many rows behind a key, or behind the start of the order. */
export interface RowPlace {
  /** A value for each term of the order, as the database binds it; null for NULL. */
  readonly from: readonly (string | null)[] | undefined;
  readonly skip: number;
  /** Whether the page may go on to rows whose first value is NULL, where the key's is not. */
  readonly reachesNulls: boolean;
}

/** Asks for every `step`th key of so many rows behind a key, and the last one. */
export interface WantedKeys {
  readonly from: readonly (string | null)[] | undefined;
  /** Which rows, where the first column of the order may be NULL. */
  readonly part: 'null' | 'not_null' | undefined;
  readonly rows: number;
  readonly step: number;
}

export interface Checkpoints {
  readonly length: number;
  readonly keyAt: (index: number) => Key;
  readonly rowsBefore: (index: number) => bigint;
}

/** A page index that follows the changes of its relation, as one snapshot sees it. */
export interface FollowedIndex {
  readonly isComplete: boolean;
  readonly isBroken: boolean;
  locate(range: PageRange): RowPlace | undefined;
  /** The keys at the time of the call; undefined where they are not known. */
  checkpoints(): Checkpoints | undefined;
  /** The keys to read next; undefined for none at the moment. */
  wants(): WantedKeys | undefined;
  /** Adds the keys that `wants` asked for. False where changes of the list since are unknown. */
  learn(read: KeyRows): Promise<boolean>;
}

/** Whether a total is followed now; `late`: not from this snapshot; `refused`: not worth it. */
export type CountOutcome = 'known' | 'late' | 'refused';

export interface CountTerms {
  /** Filtered lists that take less are refused, in milliseconds. */
  readonly leastMs: number;
  /** Called before filtered lists are counted, with which of the conditions' are. */
  readonly onBegin?: (areCounted: readonly boolean[]) => void;
}

export interface RelationMoment {
  readonly version: string;
  /** Counts rows. Undefined where unknown; a condition may ask the database about changed rows. */
  total(condition?: Condition): Promise<bigint | undefined>;
  /**
   * Counts the first condition's rows, and others that it can count with them, to follow their
   * totals. Undefined for those not counted.
   */
  countLists(
    conditions: readonly (Condition | undefined)[],
    terms: CountTerms,
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
