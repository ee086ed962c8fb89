import { sql } from 'kysely';

import type { Model } from '../catalogue/model.ts';
import type { Dialect } from './dialect.ts';
import type { Statement } from './statement.ts';
import { compile } from './compile.ts';

/**
 * A statement that counts the faults of a declared key, 0 to 2: values that stand in several rows,
 * and NULLs.
 *
 *     select (select count(*) from (select 1 as "x" from "v" as "t" group by "t"."id" having count(*) > 1 limit 1) as "d")
 *          + (select count(*) from (select 1 as "x" from "v" as "t" where "t"."id" is null limit 1) as "n") as "total"
 */
export function compileKeyCheck({ path, key }: Model, dialect: Dialect): Statement {
  const from = sql`${sql.id(...path)} as ${sql.id('t')}`;
  const columns = key.map(({ column }) => sql.id('t', column));
  const nulls = columns.map((column) => sql`${column} is null`);
  const one = sql`select 1 as ${sql.id('x')} from ${from}`;
  const repeated = sql`select count(*) from (${one} group by ${sql.join(columns)} having count(*) > 1 limit 1) as ${sql.id('d')}`;
  const missing = sql`select count(*) from (${one} where ${sql.join(nulls, sql` or `)} limit 1) as ${sql.id('n')}`;
  return compile(sql`select (${repeated}) + (${missing}) as ${sql.id('total')}`, dialect);
}
