import { type RawBuilder, sql } from 'kysely';

import type { Dialect, PageStatements, Statement } from '../sources/source.ts';
import { compileCondition } from './condition.ts';
import type { Plan } from './plan.ts';

/** No table holds 2^63 rows, and no database binds a larger offset. */
const LARGEST_OFFSET = 2n ** 63n - 1n;

/**
 * The statements that answer a plan. For page 3 of the cities on SQLite, leaving the encoding of values out:
 *
 *     select json_group_array(json_object('name', "c0")) from (
 *       select "t"."name" as "c0" from "cities" as "t" order by "t"."id" asc limit ? offset ?)
 *     select count(*) as "total" from "cities" as "t"
 */
export function compilePage(plan: Plan, dialect: Dialect): PageStatements {
  const from = sql`${sql.id(...plan.model.path)} as ${sql.id('t')}`;
  const where = plan.condition === undefined ? sql`` : sql` where ${compileCondition(plan.condition, dialect)}`;
  const order = sql.join(plan.order.map((term) => dialect.orderTerm(sql.id('t', term.column), term)));
  const offset = plan.offset < LARGEST_OFFSET ? plan.offset : LARGEST_OFFSET;
  const rows = dialect.rows(plan.attributes, { from, where, order, limit: plan.size, offset });
  const count = sql`select count(*) as ${sql.id('total')} from ${from}${where}`;
  const together = dialect.together?.(rows, count);
  return {
    rows: compile(rows, dialect),
    count: compile(count, dialect),
    together: together && compile(together, dialect),
    fields: plan.attributes,
    offset,
  };
}

/** The text and the parameters of a statement. */
export function compile(statement: RawBuilder<unknown>, dialect: Dialect): Statement {
  const { sql: text, parameters } = statement.compile(dialect.kysely);
  return { sql: text, parameters };
}
