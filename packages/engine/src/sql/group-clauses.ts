import type { DateUnit } from '@proj/contract';

import type { Field } from '../catalogue/field.ts';
import type { Attribute } from '../catalogue/model.ts';
import type { TimeZone } from '../planning/zones/time-zone.ts';
import type { Expression } from './statement.ts';

export interface Grouping {
  /** Ordered, and equal exactly where `eq` finds values equal. */
  readonly by: Expression;
  /** One value of each group, to show, compare and sort. Default: `by`. */
  readonly value?: Expression;
  /** A one-row table to join. Default: none. */
  readonly bounds?: Expression;
}

export interface Cut {
  readonly unit: DateUnit;
  /** Default: UTC. */
  readonly zone: TimeZone | undefined;
}

export interface FacetValues {
  /** A bound as bound. Default: the text of the value. */
  readonly boundValue?: (text: string, field: Field) => unknown;
  /** Whether all values have as many digits after the point. Default: they do not. */
  readonly hasFixedScale?: (field: Field) => boolean;
  /** Whether sums end without zeros. Default: as many as their numbers. */
  readonly trimsSums?: boolean | undefined;
}

export interface GroupDialect extends FacetValues {
  grouping(column: Expression, field: Field): Grouping;
  /** Weeks begin on Monday. An hour is the first moment of it in its period of the zone. */
  cut(column: Expression, field: Field, cut: Cut): Grouping;
  /**
   * Bins from 1; 0 for a value in none, NULL for NULL.
   *
   * @param bounds in order, one more than there are bins; some of the first may be equal
   */
  bin(column: Expression, field: Field, bounds: readonly Expression[]): Grouping;
  /**
   * Has each date's compared form as `x`.
   *
   * @param rows what follows `select …`
   */
  computed?(column: Expression, field: Field, rows: Expression): Expression | undefined;
  /** Whether a value is among numbers. Undefined where all values of the field are. */
  isFinite?(column: Expression, field: Attribute): Expression | undefined;
  /**
   * The sum in a bin: a text of one decimal, or of several that add up. NULL where it takes all
   * rows.
   *
   * @param divisor of doubles, so that no sum is infinite
   */
  added(column: Expression, field: Field, divisor: Expression): Expression;
  /** Default: counts all values. */
  numbers?(column: Expression): Expression;
  /** A decimal; NULL for no numbers. */
  sum(column: Expression, field: Field): Expression;
  /** Rounded to 16 digits of the fraction, or as many as the sum has; no further zeros. */
  average(column: Expression, field: Field): Expression;
  extreme(which: 'min' | 'max', column: Expression, field: Field): Expression;
  /** Sorts an extreme that a subquery gives as the column. Default: it does so by itself. */
  single?(extreme: Expression, field: Field): Expression;
}

export interface SelectedRecords {
  readonly fields: readonly Field[];
  readonly columns: readonly Expression[];
  readonly rest: Expression;
  /** NULL where this is not true. Default: always true. */
  readonly when?: Expression;
}
