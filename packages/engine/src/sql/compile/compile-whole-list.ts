import { sql } from 'kysely';

import type { Attribute } from '../../catalogue/model.ts';
import { neededColumns } from '../../planning/needed-columns.ts';
import type { Plan } from '../../planning/plan.ts';
import { compileAlone, countOf, termsOf } from './compile.ts';
import type { Dialect } from '../dialect.ts';
import { wholeListClauses } from '../clauses/page-clauses.ts';
import type { WholeListStatements } from '../query-statements.ts';
import { columnOf } from '../clauses/relation-rows.ts';
import { evaluatedOnce } from '../clauses/single-evaluation.ts';
import type { Statement } from '../statement.ts';

export function compileWholeList(plan: Plan, dialect: Dialect): WholeListStatements {
  const { attributes: fields, facts } = plan;
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
    ...termsOf(plan, dialect),
    fields,
    records: compileAlone(dialect.records(list), dialect, plan),
    count: compileAlone(count, dialect, plan),
    countedRecords: counted && compileAlone(counted, dialect, plan),
  };
}

/** Undefined where all values fit, or where two statements may see two states. */
export function compileMisfit(
  plan: Plan,
  dialect: Dialect,
  isTyped: (attribute: Attribute) => boolean,
): Statement | undefined {
  const cases = plan.attributes.flatMap((field, index) => {
    const misfits = isTyped(field) ? dialect.misfits?.(columnOf(field), field) : undefined;
    return misfits === undefined ? [] : [sql`when ${misfits} then ${sql.lit(index + 1)}`];
  });
  if (cases.length === 0 || !plan.facts.hasSnapshots) return undefined;
  const { from, where } = wholeListClauses(plan, dialect, 0);
  const number = sql`case ${sql.join(cases, sql` `)} end`;
  return compileAlone(sql`select coalesce(min(${number}), 0) from ${from}${where}`, dialect, plan);
}
