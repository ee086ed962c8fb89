import type { DateUnit } from '@proj/contract';
import type { RawBuilder } from 'kysely';

import type { Field } from '../catalogue/field.ts';
import type { Attribute } from '../catalogue/model.ts';

/** How values of a field are grouped. */
export interface Grouping {
  /** Equal for values that `eq` finds equal, and for no others; it has an order. */
  readonly by: RawBuilder<unknown>;
  /**
   * One value of each group: the same for the same values, and of the kind of the field, as which
   * it is shown, compared and sorted. Default: `by`.
   */
  readonly value?: RawBuilder<unknown>;
  /** A table of one row that the rows are joined with. Default: none. */
  readonly bounds?: RawBuilder<unknown>;
}

/** The values of facets as a database has them. */
export interface FacetValues {
  /** A bound of bins as it is bound. Default: the text of the value. */
  readonly boundValue?: (text: string, field: Field) => unknown;
  /** Whether all values of a field have as many digits after the point. Default: they do not. */
  readonly hasFixedScale?: (field: Field) => boolean;
  /** Whether sums have no zeros at the end of their fraction. Default: as many as their numbers. */
  readonly trimsSums?: boolean | undefined;
}

/** How rows are grouped, and what is computed of the values of a column in each group. */
export interface GroupDialect extends FacetValues {
  grouping(column: RawBuilder<unknown>, field: Field): Grouping;
  /**
   * Dates, cut to the day that a unit of time begins with; moments cut to the hour stay moments.
   * Moments are those of UTC, and weeks begin on Mondays.
   */
  cut(column: RawBuilder<unknown>, field: Field, unit: DateUnit): Grouping;
  /**
   * The numbers of bins, from 1 on: 0 for a value in none, NULL for NULL.
   *
   * @param bounds in order, one more than there are bins; some of the first may be equal
   */
  bin(column: RawBuilder<unknown>, field: Field, bounds: readonly RawBuilder<unknown>[]): Grouping;
  /**
   * Rows of which each has the form in which its date is compared as `x`, computed once; for a
   * database that has no type for dates.
   *
   * @param rows what follows `select …`
   */
  computed?(
    column: RawBuilder<unknown>,
    field: Field,
    rows: RawBuilder<unknown>,
  ): RawBuilder<unknown> | undefined;
  /** Whether a value has a place among numbers. Undefined where all values of a field have. */
  isFinite?(column: RawBuilder<unknown>, field: Attribute): RawBuilder<unknown> | undefined;
  /**
   * The sum of the numbers in a bin, doubles as the database adds them: a text of one decimal
   * number or of several that add up to it. NULL where it takes all rows to find the sum.
   *
   * @param divisor of each double, so that no server fails because the sum is infinite
   */
  added(
    column: RawBuilder<unknown>,
    field: Field,
    divisor: RawBuilder<unknown>,
  ): RawBuilder<unknown>;
  /** How many numbers there are. Default: all values. */
  numbers?(column: RawBuilder<unknown>): RawBuilder<unknown>;
  /** The sum of numbers, a decimal; NULL for none. */
  sum(column: RawBuilder<unknown>, field: Field): RawBuilder<unknown>;
  /**
   * Their average: rounded after 16 digits of the fraction, or as many as the sum has, without
   * zeros at the end that the sum lacks.
   */
  average(column: RawBuilder<unknown>, field: Field): RawBuilder<unknown>;
  /** The first or the last value in the order of the column. */
  extreme(which: 'min' | 'max', column: RawBuilder<unknown>, field: Field): RawBuilder<unknown>;
}

/** A list of records that a statement selects beside others. */
export interface SelectedRecords {
  readonly fields: readonly Field[];
  /** The values of the fields. */
  readonly columns: readonly RawBuilder<unknown>[];
  /** What follows them, from `from` on. */
  readonly rest: RawBuilder<unknown>;
  /** The list is NULL where this is not true. Default: it always is. */
  readonly when?: RawBuilder<unknown>;
}
