import { sql } from 'kysely';

import { type Attribute, type Model, relationsOf } from '../../catalogue/model.ts';
import { neededColumns } from '../../planning/needed-columns.ts';
import type { Plan } from '../../planning/plan.ts';
import { compile, compileAlone, countOf, termsOf } from './compile.ts';
import type { Dialect } from '../dialect.ts';
import { wholeListClauses } from '../clauses/page-clauses.ts';
import type { WholeListStatements } from '../query-statements.ts';
import { columnOf, listedAs, relationRows } from '../clauses/relation-rows.ts';
import { isNull } from '../clauses/condition.ts';
import { evaluatedOnce } from '../clauses/single-evaluation.ts';
import type { Expression, Statement } from '../statement.ts';

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
