import { type Clauses, Decimals } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { halvesOf, rounded } from './exact-sum.ts';

type Expression = RawBuilder<unknown>;

const [SUM, HIGH] = [sql.id('s'), sql.id('h')];

/** What the sum of values is made of. */
export interface Sums {
  /** Columns of each bin, beginning with a comma. */
  readonly columns: Expression;
  /** The text of the sum of all bins: see `readSum`. */
  readonly sum: Expression;
}

export function sumsOf({ field, divisor, isAdded }: Clauses['bins'], value: Expression): Sums {
  if (!isAdded) return { columns: sql``, sum: sql`null` };
  const all = (half: Expression): Expression =>
    sql`cast(${rounded(sql`sum(${half}) over ()`, field)} as char)`;
  if (field.type === 'float64')
    return { columns: sql`, sum(${value} / ${divisor}) as ${SUM}`, sum: all(SUM) };
  const halves = halvesOf(value, field);
  if (halves === undefined) return { columns: sql`, sum(${value}) as ${SUM}`, sum: all(SUM) };
  const { high, low, place } = halves;
  return {
    columns: sql`, ${high} as ${HIGH}, ${low} as ${SUM}`,
    sum: sql`concat(${all(HIGH)}, ${sql.lit(`e${place} `)}, ${all(SUM)})`,
  };
}

/** The sum, from the text of it or of its halves: `12.0000e13 0.50`. */
export function readSum(text: string | null): string | null {
  const [, highs, place, lows] = /^(.+)e(\d+) (.+)$/.exec(text ?? '') ?? [];
  const [high, low] = [Decimals.readScaled(highs ?? ''), Decimals.readScaled(lows ?? '')];
  if (high === undefined || low === undefined) return text;
  const raised = { ...high, units: high.units * 10n ** BigInt(place ?? 0) };
  return Decimals.printScaled(Decimals.trimScaled(Decimals.addScaled([raised, low]), low.scale));
}
