import type { Condition } from '../planning/condition.ts';
import type { OrderedField } from '../sql/clauses/page-clauses.ts';
import type { Key } from '../sql/clauses/key-ranges.ts';
import type { PageRange } from '../sql/query-statements.ts';

/** The rows of a relation that a list has, in its order. */
export interface FollowedOrder {
  /** Equal for equal orders of the same rows. */
  readonly key: string;
  /** Which rows; all where undefined. */
  readonly condition: Condition | undefined;
  readonly terms: readonly OrderedField[];
}

/** The place of a row in an order: behind so many rows from a key on, or from the first row on. */
export interface RowPlace {
  /** A value for each term of the order, as the database binds it; null for NULL. */
  readonly from: readonly (string | null)[] | undefined;
  readonly skip: number;
  /** Whether the page may reach rows whose first value is NULL, though that of the key is not. */
  readonly reachesNulls: boolean;
}

/** The keys that a followed page index needs: those of so many rows from a key on. */
export interface WantedKeys {
  /** As in {@link RowPlace}. */
  readonly from: readonly (string | null)[] | undefined;
  /** Of which rows, where the column that comes first in the order may be NULL; else undefined. */
  readonly part: 'null' | 'not_null' | undefined;
  readonly rows: number;
  /** One of so many keys is wanted, and the last one. */
  readonly step: number;
}

/**
 * Keys that one statement read, in order: the values of each as the database binds them, and behind
 * them its place among the rows of the statement, from 0 on.
 */
export interface KeyRows {
  readonly rows: readonly (readonly unknown[])[];
}

/** Keys along an ordered list, in its order. */
export interface Checkpoints {
  /** How many keys there are. */
  readonly length: number;
  readonly keyAt: (index: number) => Key;
  /** How many rows of the list come before the key at this index. */
  readonly rowsBefore: (index: number) => bigint;
}

/** A page index that follows the changes of its relation, as one snapshot sees it. */
export interface FollowedIndex {
  /** Whether it has all keys. */
  readonly isComplete: boolean;
  /** Whether it is of no use any longer. */
  readonly isBroken: boolean;
  /** Where a page is; undefined where that is not known. */
  locate(range: PageRange): RowPlace | undefined;
  /** Its keys, as they are at the call; undefined where that is not known. */
  checkpoints(): Checkpoints | undefined;
  /** The keys that it has to read next; undefined where it needs none at the moment. */
  wants(): WantedKeys | undefined;
  /**
   * Adds the keys that `wants` asked for last, read in this snapshot. Returns whether it did: not
   * where it is unknown how the list has changed since.
   */
  learn(read: KeyRows): Promise<boolean>;
}
