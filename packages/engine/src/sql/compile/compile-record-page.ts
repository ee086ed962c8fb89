import { sql } from 'kysely';

import type { Field } from '../../catalogue/field.ts';
import { attributesOf, type Condition } from '../../planning/condition.ts';
import { neededColumns } from '../../planning/missing-part.ts';
import type { Plan } from '../../planning/plan.ts';
import { compileAlone, selectAtOnce } from './compile.ts';
import { columnOf, listedAs, outputsBeside } from '../clauses/relation-rows.ts';
import { compileCondition } from '../clauses/condition.ts';
import type { Dialect } from '../dialect.ts';
import { sortedColumn, wholeListClauses } from '../clauses/page-clauses.ts';
import { evaluatedOnce, freeName } from '../clauses/single-evaluation.ts';
import type { Expression, Template } from '../statement.ts';

export interface RecordPage {
  readonly record: Condition;
  readonly size: number;
  readonly maxBytes: number;
}

/**
 * Numbers a whole list to find a record's page, the total and the record's number in one statement,
 * without snapshot or keys. For the names of ten cities, without the encoding of values:
 *
 *     with "list" as materialized (
 *       select "t"."name" as "c0", row_number() over (order by "t"."id" asc) - 1 as "n",
 *         case when "t"."id" in (?) then 1 else 0 end as "is_record"
 *       from "cities" as "t"
 *     )
 *     select "r".*, (select count(*) from "list"),
 *       (select min("n") from "list" where "is_record" = 1)
 *     from (
 *       select "t"."c0" from "list" as "t"
 *       where "n" - "n" % 10 = … order by "n" limit ? offset ?
 *     ) as "r"
 */
export function compileRecordPage(
  plan: Plan,
  dialect: Dialect,
  { record, size, maxBytes }: RecordPage,
): Template {
  const { attributes, order: terms } = plan;
  const needed = [...neededColumns(plan), ...attributesOf(record)];
  const list = wholeListClauses(plan, dialect, maxBytes);
  const { clauses, complete } = evaluatedOnce({ list: plan, needed }, list, dialect);
  const { from, where } = clauses;
  const order = sql.join(terms.map((term) => dialect.orderTerm(sortedColumn(term, dialect), term)));
  const outputs = outputsBeside('c', terms);
  const columns = attributes.map(
    (field, index) => sql`${columnOf(field)} as ${sql.id(`${outputs}${index}`)}`,
  );
  const [number, isRecord] = [sql.id('n'), sql.id('is_record')];
  const rows = sql`select ${sql.join(columns)},
      row_number() over (order by ${order}) - 1 as ${number},
      case when ${compileCondition(record, dialect)} then 1 else 0 end as ${isRecord}
    from ${from}${where}`;
  const fields = attributes.map((attribute, index): Field => {
    const { join: _, ...field } = attribute;
    return { ...field, column: `${outputs}${index}` };
  });
  const name = freeName('list', plan);
  const rank = sql`(select min(${number}) from ${name} where ${isRecord} = 1)`;
  const page = {
    fields,
    from: listedAs(name),
    where: sql` where ${beginning(number, size)} = ${beginning(rank, size)}`,
    order: number,
    reversed: false,
    maxBytes,
    numbers: [sql`(select count(*) from ${name})`, rank],
    shortPageProof: false,
  };
  return compileAlone(complete(selectAtOnce(page, dialect), { name, rows }), dialect, plan);
}

function beginning(number: Expression, size: number): Expression {
  return sql`${number} - ${number} % ${sql.lit(size)}`;
}
