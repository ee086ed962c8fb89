import { sqlBlock } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import { callFunction } from '../values/call-function.ts';

type Expression = RawBuilder<unknown>;

/** Of equal values: the integer, whose text is shorter than a real's; of zeros, -0. */
export function numberForm(column: Expression): Expression {
  const isNegativeZero = sql`${column} = 0 and ${callFunction('real', column)} = '-0.0'`;
  return sql`min(case when ${isNegativeZero} then '-0' else typeof(${column}) end)`;
}

export function inNumberForm(value: Expression, form: Expression): Expression {
  return sqlBlock`
    case ${form}
      when '-0' then -0.0
      when 'integer' then cast(${value} as integer)
      else ${value}
    end`;
}
