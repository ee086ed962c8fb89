import { type RawBuilder, sql } from 'kysely';

import type { BinsClauses } from '../../../sql/facet-clauses.ts';
import { addScaled, printScaled, readScaled, trimScaled } from '../../facets/scaled.ts';
import { decimalScaleOf } from '../values/decimal-scale.ts';

type Expression = RawBuilder<unknown>;

/** A sum of decimals has so many digits; one that needs more is the largest of them, in silence. */
const DIGITS = 65;

/** By so many digits the sum of as many values as a table can hold is longer than one of them. */
const MORE_DIGITS = 22;

const [SUM, HIGH] = [sql.id('s'), sql.id('h')];

/** What the sum of values is made of. */
export interface Sums {
  /** Columns of each bin, beginning with a comma. */
  readonly columns: Expression;
  /** The text of the sum of all bins: see `readSum`. */
  readonly sum: Expression;
}

/** Decimals that are too long are added in two halves, of which neither sum is too long. */
export function sumsOf({ field, divisor, isAdded }: BinsClauses, value: Expression): Sums {
  if (!isAdded) return { columns: sql``, sum: sql`null` };
  const all = (half: Expression): Expression => sql`cast(sum(${half}) over () as char)`;
  if (field.type === 'float64')
    return { columns: sql`, sum(${value} / ${divisor}) as ${SUM}`, sum: all(SUM) };
  const [, precision] = /^decimal\((\d+)/.exec(field.databaseType) ?? [];
  if (Number(precision ?? 0) <= DIGITS - MORE_DIGITS)
    return { columns: sql`, sum(${value}) as ${SUM}`, sum: all(SUM) };
  const place = DIGITS - MORE_DIGITS - decimalScaleOf(field);
  const high = sql`truncate(${value}, ${sql.lit(-place)})`;
  const unit = sql.raw(`1${'0'.repeat(place)}`);
  return {
    columns: sql`, sum(${high} / ${unit}) as ${HIGH}, sum(${value} - ${high}) as ${SUM}`,
    sum: sql`concat(${all(HIGH)}, ${sql.lit(`e${place} `)}, ${all(SUM)})`,
  };
}

/** The sum, from the text of it or of its halves: `12.0000e13 0.50`. */
export function readSum(text: string | null): string | null {
  const [, highs, place, lows] = /^(.+)e(\d+) (.+)$/.exec(text ?? '') ?? [];
  const [high, low] = [readScaled(highs ?? ''), readScaled(lows ?? '')];
  if (high === undefined || low === undefined) return text;
  const raised = { ...high, units: high.units * 10n ** BigInt(place ?? 0) };
  return printScaled(trimScaled(addScaled([raised, low]), low.scale));
}
