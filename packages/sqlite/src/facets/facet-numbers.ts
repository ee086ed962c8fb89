import { sqlBlock } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

type Expression = RawBuilder<unknown>;

/**
 * A value as it is compared with a decimal: a text of digits, in a column that holds texts, counts
 * as the number.
 */
export function asNumber(value: Expression): Expression {
  const number = sql`cast(${value} as numeric)`;
  return sqlBlock`
    case when typeof(${value}) = 'text' and ${value} = ${number} then ${number} else ${value} end`;
}

/** Whether a value is a number. */
export function isNumber(value: Expression): Expression {
  return sql`typeof(${value}) in ('integer', 'real')`;
}
