import { type RawBuilder, sql } from 'kysely';

import { SQL_FUNCTIONS } from './functions.ts';

/** A call of a function of the reader connections, as SQL. */
export function callFunction(
  name: keyof typeof SQL_FUNCTIONS,
  value: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`${sql.raw(SQL_FUNCTIONS[name].sqlName)}(${value})`;
}
