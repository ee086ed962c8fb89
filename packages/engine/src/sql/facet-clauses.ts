import { type RawBuilder, sql } from 'kysely';

import type { Attribute } from '../catalogue/model.ts';

/** Which values of which records a facet is about. */
interface ValueClauses {
  /** The rows, those of the listed relation under the alias `t`. */
  readonly from: RawBuilder<unknown>;
  /** The condition of the records; undefined for all. */
  readonly condition: RawBuilder<unknown> | undefined;
  readonly field: Attribute;
  /** The column that holds the values. */
  readonly column: RawBuilder<unknown>;
  /** A name that no relation of the list has, for the groups of the values. */
  readonly groups: RawBuilder<unknown>;
}

/** What a facet of values is made of. */
export interface ValuesClauses extends ValueClauses {
  readonly kind: 'values';
  /** How many values are selected at most. */
  readonly limit: number;
  /** What they are ordered by: their number of records, or themselves. */
  readonly sort: 'count' | 'value';
  /** Whether the values have an order of their own. */
  readonly isSortable: boolean;
}

/** What a facet of bins is made of. */
export interface BinsClauses extends ValueClauses {
  readonly kind: 'bins';
  /** Placeholders of the bounds: one more than there are bins. */
  readonly bounds: readonly RawBuilder<unknown>[];
  /**
   * The placeholder of what floating point numbers are divided by before they are added, so that no
   * server fails because their sum is infinite.
   */
  readonly divisor: RawBuilder<unknown>;
  /** Whether the values have a sum. */
  readonly isAdded: boolean;
}

/** What a statement is made of that reads facets. */
export interface FacetsClauses {
  readonly facets: readonly (ValuesClauses | BinsClauses)[];
  /** Counts the records of the common filter; undefined where a facet is of all of them. */
  readonly count: RawBuilder<unknown> | undefined;
  /**
   * Whether the least and the greatest values are selected too, where another statement may see
   * another state of the data.
   */
  readonly withRanges: boolean;
  /** Longer JSON texts are NULL, so that they never leave the database. */
  readonly maxBytes: number;
}

/**
 * How facets are read. One statement reads all of them, so that they are of one state of the data.
 * A value of a field is grouped with those that `eq` finds equal to it.
 */
export interface FacetDialect {
  select(facets: FacetsClauses): RawBuilder<unknown>;
  /** One row: the least and the greatest value of each facet that have a place among numbers. */
  selectRanges(facets: readonly BinsClauses[]): RawBuilder<unknown>;
}

/** The relation with those of its records that meet the condition of a facet, and another one. */
export function recordsOf(
  { from, condition }: ValueClauses,
  other?: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const conditions = [condition, other].filter((one) => one !== undefined);
  return conditions.length === 0
    ? sql`from ${from}`
    : sql`from ${from} where ${sql.join(conditions, sql` and `)}`;
}
