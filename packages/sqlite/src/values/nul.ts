import type { Expression } from '@proj/engine/database';
import { sql } from 'kysely';

import { callFunction } from './call-function.ts';

/** Node 22 cuts such texts on their way out of SQLite, as columns and into functions. */
export function hasNul(value: Expression): Expression {
  return sql`typeof(${value}) = 'text' and instr(${value}, char(0)) > 0`;
}

/** A raw column, or an error where it would be cut. */
export function wholeOrFail(column: Expression): Expression {
  return sql`case when ${hasNul(column)} then ${callFunction('whole', column)} else ${column} end`;
}

export function withoutNul(value: Expression): Expression {
  return sql`case when ${hasNul(value)} then '' else ${value} end`;
}
