import { type RawBuilder, sql } from 'kysely';

import type { Field } from '../../catalogue/field.ts';
import type { Condition } from '../../planning/condition.ts';
import { attributesOf, neededColumns } from '../../planning/missing-part.ts';
import type { Plan } from '../../planning/plan.ts';
import { compileAlone, countOf } from './compile.ts';
import { columnOf } from '../clauses/column-of.ts';
import { compileCondition } from '../clauses/condition.ts';
import type { Dialect, NumberedList } from '../dialect.ts';
import { sortedColumn, wholeListClauses } from '../clauses/page-clauses.ts';
import { freeName } from '../free-name.ts';
import type { RecordPageStatement } from '../query-statements.ts';
import { evaluatedOnce } from '../clauses/single-evaluation.ts';

/** Which page is read. */
export interface RecordPage {
  readonly record: Condition;
  readonly size: number;
  readonly maxBytes: number;
}

/**
 * One statement that numbers a list, and reads the page of it that holds a record. It passes over
 * the whole list, and needs neither a snapshot for several statements nor keys. The list, for the
 * names of cities:
 *
 *     select "t"."name" as "c0", row_number() over (order by "t"."id" asc) - 1 as "n",
 *       case when "t"."id" in (?) then 1 else 0 end as "is_record"
 *     from "cities" as "t"
 */
export function compileRecordPage(
  plan: Plan,
  dialect: Dialect,
  { record, size, maxBytes }: RecordPage,
): RecordPageStatement {
  const { attributes, order: terms, relations } = plan;
  const needed = [...neededColumns(plan), ...attributesOf(record)];
  const list = wholeListClauses(plan, dialect, maxBytes);
  const { clauses, complete } = evaluatedOnce({ list: plan, needed }, list, dialect);
  const { from, where } = clauses;
  const order = sql.join(terms.map((term) => dialect.orderTerm(sortedColumn(term, dialect), term)));
  const columns = attributes.map(
    (field, index) => sql`${columnOf(field)} as ${sql.id(`c${index}`)}`,
  );
  const rows = sql`select ${sql.join(columns)},
      row_number() over (order by ${order}) - 1 as ${sql.id('n')},
      case when ${compileCondition(record, dialect)} then 1 else 0 end as ${sql.id('is_record')}
    from ${from}${where}`;
  const fields = attributes.map((attribute, index): Field => {
    const { join: _, ...field } = attribute;
    return { ...field, column: `c${index}` };
  });
  const name = freeName('list', plan);
  const page: NumberedList = { rows, name, count: countOf(clauses), fields, maxBytes };
  const statement = compileAlone(complete(statementOf(page, dialect)), dialect, plan);
  return { relations, fields, maxBytes, statement, bindings: { size, offset: 0n } };
}

function statementOf(page: NumberedList, dialect: Dialect): RawBuilder<unknown> {
  const statement = dialect.recordPage?.(page);
  if (statement === undefined)
    throw new Error('Every list of this database is read in a snapshot, and by its keys.');
  return statement;
}
