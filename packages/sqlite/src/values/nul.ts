import { type RawBuilder, sql } from 'kysely';

import { callFunction } from './call-function.ts';

type Expression = RawBuilder<unknown>;

/**
 * Whether a value is a text that holds a NUL. Node 22 cuts it there on its way out of SQLite, both
 * into a function and as a column.
 */
export function hasNul(value: Expression): Expression {
  return sql`typeof(${value}) = 'text' and instr(${value}, char(0)) > 0`;
}

/** A column as a statement returns it raw: whole, or the statement fails. */
export function wholeOrFail(column: Expression): Expression {
  return sql`case when ${hasNul(column)} then ${callFunction('whole', column)} else ${column} end`;
}

/** A value, or an empty text in place of one that would be cut. */
export function withoutNul(value: Expression): Expression {
  return sql`case when ${hasNul(value)} then '' else ${value} end`;
}
