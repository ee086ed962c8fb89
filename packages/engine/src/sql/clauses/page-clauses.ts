import { type RawBuilder, sql } from 'kysely';

import type { Field } from '../../catalogue/field.ts';
import type { Model, OrderTerm } from '../../catalogue/model.ts';
import type { Rows } from '../../planning/list-rows.ts';
import { attributesOf, neededColumns } from '../../planning/missing-part.ts';
import type { Plan } from '../../planning/plan.ts';
import { columnOf } from './column-of.ts';
import { compileCondition } from './condition.ts';
import { fromRows, joinsFor } from './from-rows.ts';
import { withOrigins } from './joins.ts';
import { rejectedNulls } from './rejected-nulls.ts';
import type { Dialect, LateJoins, PageClauses } from '../dialect.ts';

/** Joins what filter and order name; what records show besides is joined late. */
export function pageClauses(plan: Plan, dialect: Dialect, maxBytes: number): PageClauses {
  const { rows, attributes, condition, order } = plan;
  const isLate = attributes.some(({ join }) => join !== undefined);
  const late = isLate ? lateJoins(plan, dialect) : undefined;
  const all = neededColumns(plan);
  return {
    from: fromRows(rows, { named: late ? [...attributesOf(condition), ...order] : all }, dialect),
    counted: countedRows(plan, dialect),
    where: condition === undefined ? sql`` : sql` where ${compileCondition(condition, dialect)}`,
    order: orderOf(order, dialect),
    ...(late && { late }),
    reversed: false,
    maxBytes,
  };
}

export function wholeListClauses(plan: Plan, dialect: Dialect, maxBytes: number): PageClauses {
  const { late: _, ...clauses } = pageClauses(plan, dialect, maxBytes);
  return { ...clauses, from: fromRows(plan.rows, { named: neededColumns(plan) }, dialect) };
}

/** Joined only with what the filter names. */
function countedRows(
  { rows, condition }: Pick<Plan, 'rows' | 'condition'>,
  dialect: Dialect,
): RawBuilder<unknown> {
  if (condition === undefined) return fromRows(rows, { named: [] }, dialect);
  const needed = { named: attributesOf(condition), inner: rejectedNulls(condition) };
  return fromRows(rows, needed, dialect);
}

/** Undefined for groups, which have no joins. */
export function lateJoins(plan: Plan, dialect: Dialect): LateJoins | undefined {
  const { rows, attributes, order } = plan;
  if (rows.kind === 'groups') return undefined;
  const named = [...attributes, ...order];
  const joined = withOrigins(rows.joins, new Set(named.map(({ join }) => join)));
  const held = joined.flatMap(({ from, toOne }) => (from === undefined ? toOne.columns : []));
  const columns = named.flatMap(({ column, join }) => (join === undefined ? column : []));
  return {
    columns: [...new Set([...columns, ...held])].map((column) => columnOf({ column })),
    joins: joinsFor(rows, { named }, dialect),
  };
}

export function clausesWithin(
  plan: Plan,
  page: PageClauses,
  condition: RawBuilder<unknown>,
): PageClauses {
  const joint = plan.condition === undefined ? sql` where ` : sql` and `;
  return { ...page, where: sql`${page.where}${joint}${condition}` };
}

export function reversedTerm(term: OrderTerm): OrderTerm {
  return {
    ...term,
    direction: term.direction === 'asc' ? 'desc' : 'asc',
    nulls: term.nulls === 'first' ? 'last' : 'first',
  };
}

export function orderOf(order: readonly OrderTerm[], dialect: Dialect): RawBuilder<unknown> {
  return sql.join(order.map((term) => dialect.orderTerm(sortedColumn(term, dialect), term)));
}

export function sortedColumn(term: OrderTerm, dialect: Dialect): RawBuilder<unknown> {
  const stored = columnOf(term);
  const { field } = term;
  return field === undefined ? stored : (dialect.comparable?.(stored, field) ?? stored);
}

export interface OrderedField {
  readonly term: OrderTerm;
  readonly field: Field;
}

/** Their values are the keys of a page index. */
export function orderedFields({ name, rows, order }: Plan): OrderedField[] {
  return order.map((term) => {
    const field = term.field ?? modelOf(rows, term)?.columns.get(term.column);
    if (field === undefined)
      throw new Error(`${name} is ordered by ${term.column}, which it does not have.`);
    return { term, field };
  });
}

function modelOf(rows: Rows, { join }: OrderTerm): Model | undefined {
  if (rows.kind === 'groups') return undefined;
  return join === undefined ? rows.model : rows.joins.find(({ number }) => number === join)?.target;
}
