import type { DateUnit } from '@proj/contract';
import type { RawBuilder } from 'kysely';

import type { Field } from '../catalogue/field.ts';

/** How values of a field are grouped. */
export interface Grouping {
  /** Equal for values that `eq` finds equal, and for no others; it has an order. */
  readonly by: RawBuilder<unknown>;
  /**
   * One value of each group: the same for the same values, and of the kind of the field, as which
   * it is shown, compared and sorted. Default: `by`.
   */
  readonly value?: RawBuilder<unknown>;
}

/** How rows are grouped, and what is computed of the values of a column in each group. */
export interface GroupDialect {
  grouping(column: RawBuilder<unknown>, field: Field): Grouping;
  /**
   * Dates, cut to the day that a unit of time begins with; moments cut to the hour stay moments.
   * Moments are those of UTC, and weeks begin on Mondays.
   */
  cut(column: RawBuilder<unknown>, field: Field, unit: DateUnit): Grouping;
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
