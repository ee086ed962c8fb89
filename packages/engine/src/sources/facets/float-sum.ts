import { type RawBuilder, sql } from 'kysely';

import { DIVISOR } from './read-float-sum.ts';

type Expression = RawBuilder<unknown>;

/** The sum of so many numbers that are smaller is no infinity. */
const LARGEST = 1e292;

/**
 * The aggregates that add doubles without an overflow, for which a server fails: of small ones, and
 * of large ones divided.
 */
export function floatSums(value: Expression): readonly [small: Expression, large: Expression] {
  const largest = sql.raw(String(LARGEST));
  const isSmall = sql`${value} between -${largest} and ${largest}`;
  return [
    sql`sum(case when ${isSmall} then ${value} end)`,
    sql`sum(case when not ${isSmall} then ${value} / ${sql.raw(String(DIVISOR))} end)`,
  ];
}
