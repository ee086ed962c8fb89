import type { DateUnit } from '@proj/contract';
import type { RawBuilder } from 'kysely';

import type { Field } from '../catalogue/field.ts';
import type { Attribute } from '../catalogue/model.ts';
import type { TimeZone } from '../planning/zones/time-zone.ts';

export interface Grouping {
  /** Ordered, and equal exactly where `eq` finds values equal. */
  readonly by: RawBuilder<unknown>;
  /** One value of each group, to show, compare and sort. Default: `by`. */
  readonly value?: RawBuilder<unknown>;
  /** A one-row table to join. Default: none. */
  readonly bounds?: RawBuilder<unknown>;
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
  grouping(column: RawBuilder<unknown>, field: Field): Grouping;
  /** Weeks begin on Monday. An hour is the first moment of it in its period of the zone. */
  cut(column: RawBuilder<unknown>, field: Field, cut: Cut): Grouping;
  /**
   * Bins from 1; 0 for a value in none, NULL for NULL.
   *
   * @param bounds in order, one more than there are bins; some of the first may be equal
   */
  bin(column: RawBuilder<unknown>, field: Field, bounds: readonly RawBuilder<unknown>[]): Grouping;
  /**
   * Has each date's compared form as `x`.
   *
   * @param rows what follows `select …`
   */
  computed?(
    column: RawBuilder<unknown>,
    field: Field,
    rows: RawBuilder<unknown>,
  ): RawBuilder<unknown> | undefined;
  /** Whether a value is among numbers. Undefined where all values of the field are. */
  isFinite?(column: RawBuilder<unknown>, field: Attribute): RawBuilder<unknown> | undefined;
  /**
   * The sum in a bin: a text of one decimal, or of several that add up. NULL where it takes all
   * rows.
   *
   * @param divisor of doubles, so that no sum is infinite
   */
  added(
    column: RawBuilder<unknown>,
    field: Field,
    divisor: RawBuilder<unknown>,
  ): RawBuilder<unknown>;
  /** Default: counts all values. */
  numbers?(column: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A decimal; NULL for no numbers. */
  sum(column: RawBuilder<unknown>, field: Field): RawBuilder<unknown>;
  /** Rounded to 16 digits of the fraction, or as many as the sum has; no further zeros. */
  average(column: RawBuilder<unknown>, field: Field): RawBuilder<unknown>;
  extreme(which: 'min' | 'max', column: RawBuilder<unknown>, field: Field): RawBuilder<unknown>;
  /** Sorts an extreme that a subquery gives as the column. Default: it does so by itself. */
  single?(extreme: RawBuilder<unknown>, field: Field): RawBuilder<unknown>;
}

export interface SelectedRecords {
  readonly fields: readonly Field[];
  readonly columns: readonly RawBuilder<unknown>[];
  readonly rest: RawBuilder<unknown>;
  /** NULL where this is not true. Default: always true. */
  readonly when?: RawBuilder<unknown>;
}
