import { type RawBuilder, sql } from 'kysely';

import type { OrderTerm } from '../catalogue/model.ts';
import type { Field } from '../catalogue/field.ts';
import type { Dialect, PageClauses } from './dialect.ts';
import type { QueryStatements } from './query-statements.ts';
import type { Statement } from './statement.ts';
import { compileCondition } from './condition.ts';
import type { Plan } from '../planning/plan.ts';
import { sortedColumn } from './sorted-column.ts';
import { type SeekShape, seekCondition } from './seek.ts';

/** What a list is, whatever its page. */
export type QueryPlan = Omit<Plan, 'page' | 'size' | 'offset'>;

/** Which of the ways to a page may be taken. */
export interface CompileOptions {
  readonly shortPageProof: boolean;
  readonly readBackwards: boolean;
  /** How many bytes the records of a page may take as JSON. */
  readonly maxReplyBytes: number;
}

/**
 * The statements of a list. For the names of cities on SQLite, leaving the encoding of values out:
 *
 *     select case when octet_length("json") <= 67108864 then "json" end, "rows" from (
 *       select json_group_array(json_object('name', "c0")) as "json", count(*) as "rows" from (
 *         select "t"."name" as "c0" from "cities" as "t" order by "t"."id" asc limit ? offset ?))
 *     select count(*) from "cities" as "t"
 */
export function compileQuery(
  plan: QueryPlan,
  dialect: Dialect,
  options: CompileOptions,
): QueryStatements {
  const { shortPageProof, readBackwards, maxReplyBytes: maxBytes } = options;
  const fields = plan.attributes;
  const page = { ...clausesOf(plan, dialect), maxBytes };
  const count = sql`select count(*) from ${page.from}${page.where}`;
  const proves = shortPageProof && dialect.provesShortPages;
  const pageWithTotal = dialect.pageWithTotal?.({ ...page, fields, count, shortPageProof: proves });
  const lock = dialect.lock?.(sql.id(...plan.model.path));
  const backwards = readBackwards && plan.model.snapshots;
  return {
    fields,
    rows: compile(dialect.rows(fields, page), dialect),
    reversed: backwards
      ? compile(dialect.rows(fields, { ...reversed(plan, dialect), maxBytes }), dialect)
      : undefined,
    count: compile(count, dialect),
    pageWithTotal: pageWithTotal && compile(pageWithTotal, dialect),
    lock: lock && compile(lock, dialect),
    shortPageProof: proves,
    maxBytes,
  };
}

/** Rows that are found by a key. */
export interface Seek {
  readonly shape: SeekShape;
  readonly maxBytes: number;
}

/**
 * The rows from a key on, whose values are slots of the statement; its offset counts from there.
 *
 *     … from "cities" as "t" where ("t"."name", "t"."id") >= (?, ?) order by "t"."name" asc, "t"."id" asc limit ? offset ?
 */
export function compileSeek(
  plan: QueryPlan,
  dialect: Dialect,
  { shape, maxBytes }: Seek,
): Statement {
  const page = { ...clausesOf(plan, dialect), maxBytes };
  const condition = seekCondition(termsOf(plan), dialect, shape);
  const where =
    plan.condition === undefined ? sql` where ${condition}` : sql`${page.where} and ${condition}`;
  return compile(dialect.rows(plan.attributes, { ...page, where }), dialect);
}

/** Of so many keys of the list one, in order. */
export function compileCheckpoints(
  plan: QueryPlan,
  dialect: Dialect,
  step: number,
): Statement | undefined {
  const { keys } = dialect;
  if (keys === undefined) return undefined;
  const { from, where, order } = clausesOf(plan, dialect);
  const columns = termsOf(plan).map(({ term, field }, index) => {
    return sql`${keys.column(sortedColumn(term, dialect), field)} as ${sql.id(`k${index}`)}`;
  });
  const place = sql`row_number() over (order by ${order}) - 1 as ${sql.id('n')}`;
  const numbered = sql`select ${sql.join([...columns, place])} from ${from}${where}`;
  return compile(keys.select({ numbered, width: columns.length, step }), dialect);
}

/** The text and the parameters of a statement; where slots stand in it, it is a template. */
export function compile(statement: RawBuilder<unknown>, dialect: Dialect): Statement {
  const { sql: text, parameters } = statement.compile(dialect.kysely);
  return { sql: text, parameters };
}

/** A term of an order with the column that it is over. */
export interface OrderedField {
  readonly term: OrderTerm;
  readonly field: Field;
}

function termsOf({ model, order }: QueryPlan): OrderedField[] {
  return order.map((term) => {
    const field = term.field ?? model.columns.get(term.column);
    if (field === undefined)
      throw new Error(`${model.name} is ordered by ${term.column}, which it does not have.`);
    return { term, field };
  });
}

type Clauses = Omit<PageClauses, 'maxBytes'>;

function clausesOf({ model, condition, order }: QueryPlan, dialect: Dialect): Clauses {
  return {
    from: sql`${sql.id(...model.path)} as ${sql.id('t')}`,
    where: condition === undefined ? sql`` : sql` where ${compileCondition(condition, dialect)}`,
    order: sql.join(order.map((term) => dialect.orderTerm(sortedColumn(term, dialect), term))),
    reversed: false,
  };
}

function reversed(plan: QueryPlan, dialect: Dialect): Clauses {
  const order = plan.order.map((term): OrderTerm => {
    return {
      ...term,
      direction: term.direction === 'asc' ? 'desc' : 'asc',
      nulls: term.nulls === 'first' ? 'last' : 'first',
    };
  });
  return { ...clausesOf({ ...plan, order }, dialect), reversed: true };
}
