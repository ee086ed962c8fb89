import { sql } from 'kysely';

import { type Model, relationsOf } from '../catalogue/model.ts';
import { compile } from './compile/compile.ts';
import type { Dialect } from './dialect.ts';
import { columnOf, listedAs, relationRows } from './clauses/relation-rows.ts';
import { isNull } from './clauses/condition.ts';
import type { Statement } from './statement.ts';

/** Finds a declared key's faults, 0 to 2: whether values repeat, and whether one is NULL. */
export function compileKeyCheck(model: Model, dialect: Dialect): Statement {
  const { key } = model;
  const from = listedAs(relationRows(model, new Set(key.map(({ column }) => column))));
  const columns = key.map(columnOf);
  const areNull = columns.map((column) => isNull(column, dialect));
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
          where ${sql.join(areNull, sql` or `)}
          limit 1
        ) as ${sql.id('missing')}
      ) as ${sql.id('total')}`,
    dialect,
    relationsOf(model).map(({ path }) => path),
  );
}
