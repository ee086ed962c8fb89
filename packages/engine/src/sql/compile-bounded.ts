import { sql } from 'kysely';

import type { Plan } from '../planning/plan.ts';
import { compile, compileOptional } from './compile.ts';
import type { Dialect } from './dialect.ts';
import { pageClauses } from './page-clauses.ts';
import type { BoundedStatements } from './query-statements.ts';
import { COUNT } from './statement.ts';

/**
 * The statements of a list whose total is not asked for, or only as far as a limit. The count for
 * names of cities:
 *
 *     select count(*) from (select 1 from "cities" as "t" limit ?) as "b"
 */
export function compileBounded(plan: Plan, dialect: Dialect, maxBytes: number): BoundedStatements {
  const { attributes: fields, model } = plan;
  const relation = model.path;
  const page = { ...pageClauses(plan, dialect, maxBytes), oneMore: true };
  const counted = sql`(select 1 from ${page.from}${page.where} limit ${COUNT}) as ${sql.id('b')}`;
  const count = sql`select count(*) from ${counted}`;
  return {
    relation,
    fields,
    maxBytes,
    rows: compile(dialect.rows(fields, page), dialect, relation),
    count: compile(count, dialect, relation),
    rowsWithCount: compileOptional(
      dialect.rowsWithCount?.({ ...page, fields, count }),
      dialect,
      relation,
    ),
    emptyPage: compileOptional(dialect.emptyPage?.({ ...page, count }), dialect, relation),
  };
}
