import type { Clauses, Dialect, Expression } from '@proj/engine/database';
import { sql } from 'kysely';

import { callFunction, hasNul } from './functions.ts';

export const holds: Dialect['holds'] = (column, held) => {
  const { values, all } = held;
  const wanted = sql`${`[${values.join()}]`}`;
  const found = callFunction('holds', column, wanted, sql`${Number(all)}`);
  const none = sql`${hasNul(column)}${lacks(column, held)}`;
  return sql`case when ${none} then false else ${found} end`;
};

/** SQLite nests an expression for each of many conditions, and takes a thousand. */
const MOST_LOOKED_FOR = 50;

/** What is not even in the JSON as written: the function takes its time. */
function lacks(column: Expression, { values, all }: Clauses['held']): Expression {
  if (values.length > MOST_LOOKED_FOR) return sql``;
  const lacked = values.map((value) => lacksOne(column, String(value)));
  return sql` or (${sql.join(lacked, all ? sql` or ` : sql` and `)})`;
}

const MOST_DIGITS = 20;

function lacksOne(column: Expression, value: string): Expression {
  if (value.startsWith('"'))
    return sql`instr(${column}, ${sql.lit('\\')}) = 0 and instr(${column}, ${value}) = 0`;
  const [, digits = value] = /^-?(\d+)e/.exec(value) ?? [];
  return sql`${column} not like ${`%${digits.slice(0, MOST_DIGITS).split('').join('%')}%`}`;
}
