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

/** Texts that are not even in the JSON, where it escapes nothing: the function takes its time. */
function lacks(column: Expression, { values, all }: Clauses['held']): Expression {
  const areTexts = values.every((value) => String(value).startsWith('"'));
  if (!areTexts || values.length > MOST_LOOKED_FOR) return sql``;
  const lacked = values.map((value) => sql`instr(${column}, ${value}) = 0`);
  const isLacked = sql.join(lacked, all ? sql` or ` : sql` and `);
  return sql` or instr(${column}, ${sql.lit('\\')}) = 0 and (${isLacked})`;
}
