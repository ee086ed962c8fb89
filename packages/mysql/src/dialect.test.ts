import { compile } from '@proj/engine/database';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

import { mysqlDialect } from './dialect.ts';

/** What MariaDB takes to prepare a statement doubles with each. */
const RECURSION = /union all select \* from `\w+` where false/g;

it.each([
  [1, 1],
  [10, 10],
  [20, 10],
])('a statement of %i lists that are evaluated once has %i recursions', (count, recursions) => {
  const lists = Array.from({ length: count }, (_, index) => ({
    name: sql.id(`g${index}`),
    rows: sql`select 1`,
  }));
  const statement = mysqlDialect.evaluateOnce?.(sql`select * from g0`, lists) ?? sql``;
  const text = compile(statement, mysqlDialect).sql;
  expect(text.match(RECURSION)?.length).toBe(recursions);
});
