import { type RawBuilder, sql } from 'kysely';

import { neededColumns } from '../../planning/missing-part.ts';
import type { Plan } from '../../planning/plan.ts';
import { compileAlone } from './compile.ts';
import type { Dialect, PageClauses } from '../dialect.ts';
import { pageInParts } from '../clauses/list-parts.ts';
import type { BoundedStatements } from '../query-statements.ts';
import { evaluatedOnce } from '../clauses/single-evaluation.ts';
import { COUNT } from '../statement.ts';

/**
 * The statements of a list whose total is not asked for, or only as far as a limit. The count for
 * names of cities:
 *
 *     select count(*) from (select 1 from "cities" as "t" limit ?) as "b"
 */
export function compileBounded(plan: Plan, dialect: Dialect, maxBytes: number): BoundedStatements {
  const { attributes: fields, relations } = plan;
  const page = { ...pageInParts(plan, dialect, maxBytes), oneMore: true };
  const evaluated = { list: plan, needed: neededColumns(plan) };
  const { clauses, complete } = evaluatedOnce(evaluated, page, dialect);
  const rows =
    dialect.reevaluatesColumns === true
      ? complete(dialect.rows(fields, clauses))
      : dialect.rows(fields, page);
  const rowsWithCount = dialect.rowsWithCount?.({ ...clauses, fields, count: countOf(clauses) });
  const emptyPage = dialect.emptyPage?.({ ...clauses, count: countOf(clauses) });
  return {
    relations,
    fields,
    session: dialect.session,
    maxBytes,
    rows: compileAlone(rows, dialect, plan),
    count: compileAlone(countOf(page), dialect, plan),
    rowsWithCount: rowsWithCount && compileAlone(complete(rowsWithCount), dialect, plan),
    emptyPage: emptyPage && compileAlone(complete(emptyPage), dialect, plan),
  };
}

function countOf({
  from,
  counted = from,
  where,
}: Pick<PageClauses, 'from' | 'counted' | 'where'>): RawBuilder<unknown> {
  const rows = sql`(select 1 from ${counted}${where} limit ${COUNT}) as ${sql.id('b')}`;
  return sql`select count(*) from ${rows}`;
}
