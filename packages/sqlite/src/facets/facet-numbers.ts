import { type Expression, sqlBlock } from '@proj/engine/database';
import { sql } from 'kysely';

import { callFunction } from '../values/call-function.ts';

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

/** As compared with decimals: texts of digits, in columns that hold texts, count as numbers. */
export function asNumber(value: Expression): Expression {
  const number = sql`cast(${value} as numeric)`;
  return sqlBlock`
    case when typeof(${value}) = 'text' and ${value} = ${number} then ${number} else ${value} end`;
}

export function isNumber(value: Expression): Expression {
  return sql`typeof(${value}) in ('integer', 'real')`;
}
