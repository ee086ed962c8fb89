import { type RawBuilder, sql } from 'kysely';

import type { Field } from '../../catalogue/field.ts';
import type { OrderTerm } from '../../catalogue/model.ts';
import type { Plan } from '../../planning/plan.ts';
import { columnOf } from './column-of.ts';
import { compileCondition } from './condition.ts';
import { fromRows } from './from-rows.ts';
import type { Dialect, PageClauses } from '../dialect.ts';

/** The clauses of a plan, in the order of its list. */
export function pageClauses(
  { rows, condition, order }: Plan,
  dialect: Dialect,
  maxBytes: number,
): PageClauses {
  return {
    from: fromRows(rows),
    where: condition === undefined ? sql`` : sql` where ${compileCondition(condition, dialect)}`,
    order: sql.join(order.map((term) => dialect.orderTerm(sortedColumn(term, dialect), term))),
    reversed: false,
    maxBytes,
  };
}

/** The clauses of a part of a list: of those of its rows that meet a condition. */
export function clausesWithin(
  plan: Plan,
  page: PageClauses,
  condition: RawBuilder<unknown>,
): PageClauses {
  const joint = plan.condition === undefined ? sql` where ` : sql` and `;
  return { ...page, where: sql`${page.where}${joint}${condition}` };
}

/** The clauses of a plan, from the end of its list. */
export function reversedClauses(plan: Plan, dialect: Dialect, maxBytes: number): PageClauses {
  const order = plan.order.map(reversedTerm);
  return { ...pageClauses({ ...plan, order }, dialect, maxBytes), reversed: true };
}

/** The term of the list from its end. */
export function reversedTerm(term: OrderTerm): OrderTerm {
  return {
    ...term,
    direction: term.direction === 'asc' ? 'desc' : 'asc',
    nulls: term.nulls === 'first' ? 'last' : 'first',
  };
}

/** A column as an order compares it. */
export function sortedColumn(term: OrderTerm, dialect: Dialect): RawBuilder<unknown> {
  const stored = columnOf(term);
  const { field } = term;
  return field === undefined ? stored : (dialect.comparable?.(stored, field) ?? stored);
}

/** A term of an order with the column that it is over. */
export interface OrderedField {
  readonly term: OrderTerm;
  readonly field: Field;
}

/** The columns that order a list; their values are the keys of its page index. */
export function orderedFields({ name, rows, order }: Plan): OrderedField[] {
  return order.map((term) => {
    const field = term.field ?? rows.model.columns.get(term.column);
    if (field === undefined)
      throw new Error(`${name} is ordered by ${term.column}, which it does not have.`);
    return { term, field };
  });
}
