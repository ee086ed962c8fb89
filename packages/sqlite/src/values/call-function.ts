import { type RawBuilder, sql } from 'kysely';

import { SQL_FUNCTIONS } from './functions.ts';

export function callFunction(
  name: keyof typeof SQL_FUNCTIONS,
  value: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`${sql.raw(SQL_FUNCTIONS[name].sqlName)}(${value})`;
}
