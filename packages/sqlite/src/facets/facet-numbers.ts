import { sqlBlock } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

type Expression = RawBuilder<unknown>;

/** As compared with decimals: texts of digits, in columns that hold texts, count as numbers. */
export function asNumber(value: Expression): Expression {
  const number = sql`cast(${value} as numeric)`;
  return sqlBlock`
    case when typeof(${value}) = 'text' and ${value} = ${number} then ${number} else ${value} end`;
}

export function isNumber(value: Expression): Expression {
  return sql`typeof(${value}) in ('integer', 'real')`;
}
