import { type Clauses, sqlBlock } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { STORED, VALUE } from './binned-values.ts';
import { callFunction } from '../values/call-function.ts';
import { isNumber } from './facet-numbers.ts';
import { SUM_FUNCTION } from '../values/functions.ts';

type Expression = RawBuilder<unknown>;

const [HIGH, LOW, REST, NUMBERS] = [sql.id('h'), sql.id('l'), sql.id('r'), sql.id('k')];

/** What the sum of values is made of. */
export interface Sums {
  /** Columns of each bin, beginning with a comma. */
  readonly columns: Expression;
  /** The sum, or a JSON text of what adds up to it: see `readSum`. */
  readonly sum: Expression;
  readonly numbers: Expression;
}

/** The sum of sums, which are never NULL: in place of NaN, SQLite has NULL. */
export function floatTotal(sums: Expression): Expression {
  const total = callFunction('decimal', sql`total(${sums})`);
  return sql`case when count(${sums}) < count(*) then 'NaN' else ${total} end`;
}

/**
 * The sum of whole numbers in halves, which never overflow; others are added by their decimal
 * digits.
 */
export function sumsOf({ field, divisor }: Clauses['bins']): Sums {
  const numbers = sql`sum(${NUMBERS})`;
  const counted = sql`sum(${isNumber(VALUE)}) as ${NUMBERS}`;
  if (field.type === 'float64') {
    const added = sql`total(${VALUE} / ${divisor}) filter (where ${isNumber(VALUE)})`;
    return {
      columns: sql`, ${counted}, ${added} as ${REST}`,
      sum: floatTotal(REST),
      numbers,
    };
  }
  const isWhole = sql`typeof(${STORED}) = 'integer'`;
  const rest = sql`${sql.raw(SUM_FUNCTION)}(${STORED})`;
  return {
    columns: sql`,
      ${counted},
      sum(case when ${isWhole} then ${STORED} >> 32 end) as ${HIGH},
      sum(case when ${isWhole} then ${STORED} & 4294967295 end) as ${LOW},
      ${rest} filter (where ${isNumber(VALUE)} and not ${isWhole}) as ${REST}`,
    sum: sqlBlock`
      json_array(
        cast(coalesce(sum(${HIGH}), 0) as text),
        cast(coalesce(sum(${LOW}), 0) as text),
        json_group_array(${REST}) filter (where ${REST} is not null)
      )`,
    numbers,
  };
}
