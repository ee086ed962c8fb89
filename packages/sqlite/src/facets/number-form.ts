import { sqlBlock } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { callFunction } from '../values/call-function.ts';

type Expression = RawBuilder<unknown>;

/**
 * The least form that equal values of a column have, as an aggregate: an integer equals a real, and
 * its text is shorter. -0 is the least zero.
 */
export function numberForm(column: Expression): Expression {
  const isNegativeZero = sql`${column} = 0 and ${callFunction('real', column)} = '-0.0'`;
  return sql`min(case when ${isNegativeZero} then '-0' else typeof(${column}) end)`;
}

/** One of several equal values in the least form that they have. */
export function inNumberForm(value: Expression, form: Expression): Expression {
  return sqlBlock`
    case ${form}
      when '-0' then -0.0
      when 'integer' then cast(${value} as integer)
      else ${value}
    end`;
}
