import { sql } from 'kysely';

import type { Plan } from '../planning/plan.ts';
import { compile, compileOptional } from './compile.ts';
import type { Dialect } from './dialect.ts';
import { pageClauses } from './page-clauses.ts';
import type { WholeListStatements } from './query-statements.ts';

/**
 * The statements that read a whole list. The records of names of cities on SQLite, leaving the
 * encoding of values out:
 *
 *     select json_object('name', "c0")
 *     from (select "t"."name" as "c0" from "cities" as "t" order by "t"."id" asc)
 */
export function compileWholeList(plan: Plan, dialect: Dialect): WholeListStatements {
  const { attributes: fields, model } = plan;
  const relation = model.path;
  const list = { ...pageClauses(plan, dialect, 0), fields };
  const count = sql`select count(*) from ${list.from}${list.where}`;
  const counted = model.snapshots ? undefined : dialect.records({ ...list, total: count });
  return {
    relation,
    fields,
    records: compile(dialect.records(list), dialect, relation),
    count: compile(count, dialect, relation),
    countedRecords: compileOptional(counted, dialect, relation),
    lock: compileOptional(dialect.lock?.(sql.id(...relation)), dialect, relation),
    version: compileOptional(dialect.version && sql`select ${dialect.version}`, dialect),
  };
}
