import { type RawBuilder, sql } from 'kysely';

import type { OrderTerm } from '../catalogue/model.ts';
import type { Dialect, PageStatements, Statement } from '../sources/source.ts';
import type { Plan } from './plan.ts';

/** No table holds 2^63 rows, and no database binds a larger offset. */
const LARGEST_OFFSET = 2n ** 63n - 1n;

/**
 * The statements that answer a plan. For three cities on SQLite, leaving the encoding of values out:
 *
 *     select json_group_array(json_object('name', "c0")) from (
 *       select "t"."name" as "c0" from "cities" as "t" order by "t"."id" asc nulls last limit ? offset ?)
 *     select count(*) as "total" from "cities" as "t"
 */
export function compilePage(plan: Plan, dialect: Dialect): PageStatements {
  const from = sql`${sql.id(...plan.model.path)} as ${sql.id('t')}`;
  const fields = plan.attributes.map((attribute, index) => ({ ...attribute, alias: `c${index}` }));
  const columns = fields.map(({ column, alias }) => sql`${sql.id('t', column)} as ${sql.id(alias)}`);
  const order = plan.order.map((term) => orderBy(term, dialect));
  const offset = plan.offset < LARGEST_OFFSET ? plan.offset : LARGEST_OFFSET;
  const page = sql`select ${sql.join(columns)} from ${from} order by ${sql.join(order)} limit ${plan.size} offset ${offset}`;
  return {
    rows: compile(dialect.rowsAsJson(fields, page), dialect),
    count: compile(sql`select count(*) as ${sql.id('total')} from ${from}`, dialect),
    offset,
  };
}

function orderBy(term: OrderTerm, dialect: Dialect): RawBuilder<unknown> {
  return dialect.orderTerm(sql.id('t', term.column), term);
}

function compile(statement: RawBuilder<unknown>, dialect: Dialect): Statement {
  const { sql: text, parameters } = statement.compile(dialect.kysely);
  return { sql: text, parameters };
}
