import { sql } from 'kysely';

import { neededColumns } from '../../planning/missing-part.ts';
import type { Plan } from '../../planning/plan.ts';
import { compileAlone, compileLock, compileOptional, countOf } from './compile.ts';
import type { Dialect } from '../dialect.ts';
import { wholeListClauses } from '../clauses/page-clauses.ts';
import type { WholeListStatements } from '../query-statements.ts';
import { evaluatedOnce } from '../clauses/single-evaluation.ts';

/**
 * The statements that read a whole list. The records of names of cities on SQLite, leaving the
 * encoding of values out:
 *
 *     select json_object('name', "c0")
 *     from (select "t"."name" as "c0" from "cities" as "t" order by "t"."id" asc)
 */
export function compileWholeList(plan: Plan, dialect: Dialect): WholeListStatements {
  const { attributes: fields, relations, facts } = plan;
  const list = { ...wholeListClauses(plan, dialect, 0), fields };
  const count = countOf(list);
  const { clauses, complete } = evaluatedOnce(
    { list: plan, needed: neededColumns(plan) },
    list,
    dialect,
  );
  const counted = facts.hasSnapshots
    ? undefined
    : complete(dialect.records({ ...clauses, total: countOf(clauses) }));
  return {
    relations,
    fields,
    records: compileAlone(dialect.records(list), dialect, plan),
    count: compileAlone(count, dialect, plan),
    countedRecords: counted && compileAlone(counted, dialect, plan),
    lock: compileLock(plan, dialect),
    session: dialect.session,
    version: compileOptional(dialect.version && sql`select ${dialect.version}`, dialect),
  };
}
