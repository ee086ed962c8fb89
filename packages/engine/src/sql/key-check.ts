import { sql } from 'kysely';

import { type Model, relationsOf } from '../catalogue/model.ts';
import { compile } from './compile/compile.ts';
import type { Dialect } from './dialect.ts';
import { columnOf, listedAs, relationRows } from './clauses/relation-rows.ts';
import { isNull } from './clauses/condition.ts';
import type { Expression, Statement } from './statement.ts';

/** Finds a declared key's faults, 0 to 2: whether values repeat, and whether one is NULL. */
export function compileKeyCheck(model: Model, dialect: Dialect): Statement {
  const { key } = model;
  const from = listedAs(relationRows(model, new Set(key.map(({ column }) => column))));
  const columns = key.map(columnOf);
  const areNull = columns.map((column) => isNull(column, dialect));
  const found = (rows: Expression, name: string): Expression => sql`(
      select count(*)
      from (select 1 as ${sql.id('x')} from ${from} ${rows} limit 1) as ${sql.id(name)}
    )`;
  const repeated = found(sql`group by ${sql.join(columns)} having count(*) > 1`, 'repeated');
  const missing = found(sql`where ${sql.join(areNull, sql` or `)}`, 'missing');
  const statement = sql`select ${repeated} + ${missing} as ${sql.id('total')}`;
  return compile(
    statement,
    dialect,
    relationsOf(model).map(({ path }) => path),
  );
}
