import type { Condition } from '../planning/condition.ts';
import type { OrderedField } from '../sql/clauses/page-clauses.ts';
import type { Key } from '../sql/clauses/key-ranges.ts';
import type { PageRange } from '../sql/query-statements.ts';

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
  /** As in {@link RowPlace}. */
  readonly from: readonly (string | null)[] | undefined;
  /** Which rows, where the first column of the order may be NULL. */
  readonly part: 'null' | 'not_null' | undefined;
  readonly rows: number;
  readonly step: number;
}

/** The keys of one statement: their values as bound, and their places in it, from 0. */
export interface KeyRows {
  readonly rows: readonly (readonly unknown[])[];
}

export interface Checkpoints {
  readonly length: number;
  readonly keyAt: (index: number) => Key;
  /** How many rows come before the key at this index. */
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
