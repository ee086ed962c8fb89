import { sql } from 'kysely';

import type { Model } from '../catalogue/model.ts';
import { compile } from './compile.ts';
import type { Dialect } from './dialect.ts';
import type { Statement } from './statement.ts';

/**
 * A statement that counts what is wrong with a declared key, 0 to 2: that several rows have one
 * value, and that a value is NULL.
 */
export function compileKeyCheck({ path, key }: Model, dialect: Dialect): Statement {
  const from = sql`${sql.id(...path)} as ${sql.id('t')}`;
  const columns = key.map(({ column }) => sql.id('t', column));
  const isNull = columns.map((column) => sql`${column} is null`);
  return compile(
    sql`select (
        select count(*)
        from (
          select 1 as ${sql.id('x')}
          from ${from}
          group by ${sql.join(columns)}
          having count(*) > 1
          limit 1
        ) as ${sql.id('repeated')}
      ) + (
        select count(*)
        from (
          select 1 as ${sql.id('x')}
          from ${from}
          where ${sql.join(isNull, sql` or `)}
          limit 1
        ) as ${sql.id('missing')}
      ) as ${sql.id('total')}`,
    dialect,
    path,
  );
}
