import type { Expression } from '@proj/engine/database';
import { sql } from 'kysely';

import { SQL_FUNCTIONS } from './functions.ts';

export function callFunction(name: keyof typeof SQL_FUNCTIONS, value: Expression): Expression {
  return sql`${sql.raw(SQL_FUNCTIONS[name].sqlName)}(${value})`;
}
