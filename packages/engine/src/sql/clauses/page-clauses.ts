import { sql } from 'kysely';

import type { Field } from '../../catalogue/field.ts';
import type { Model, OrderTerm } from '../../catalogue/model.ts';
import { attributesOf, type Join, type NamedColumn } from '../../planning/condition.ts';
import type { Rows, TableRows } from '../../planning/list-rows.ts';
import { neededColumns } from '../../planning/needed-columns.ts';
import type { Plan } from '../../planning/plan.ts';
import { columnOf, listedAs, outputsBeside, type ValueOf, withComputed } from './relation-rows.ts';
import { compileCondition, rejectedNulls } from './condition.ts';
import { fromRows, joinsFor, valuesIn } from './from-rows.ts';
import { withOrigins } from './joins.ts';
import type {
  Dialect,
  KeyDialect,
  LateJoins,
  PageClauses,
  ListPart,
  ListParts,
} from '../dialect.ts';
import { type Expression, LIMIT, OFFSET } from '../statement.ts';

/** Joins what filter and order name; what records show besides is joined late. */
export function pageClauses(plan: Plan, dialect: Dialect, maxBytes: number): PageClauses {
  const { rows, attributes, condition, order } = plan;
  const isLate = attributes.some(({ join }) => join !== undefined) || readLate(plan).size > 0;
  const late = isLate ? lateJoins(plan, dialect) : undefined;
  const all = neededColumns(plan);
  return {
    from: fromRows(rows, { named: late ? cutColumns(plan) : all }, dialect),
    counted: countedRows(plan, dialect),
    where: condition === undefined ? sql`` : sql` where ${compileCondition(condition, dialect)}`,
    order: orderOf(order, dialect),
    outputs: outputsBeside('c', order),
    ...(late && { late }),
    reversed: false,
    maxBytes,
  };
}

export function wholeListClauses(plan: Plan, dialect: Dialect, maxBytes: number): PageClauses {
  const { late: _, ...clauses } = pageClauses(plan, dialect, maxBytes);
  return { ...clauses, from: fromRows(plan.rows, { named: neededColumns(plan) }, dialect) };
}

function countedRows({ rows, condition }: Pick<Plan, 'rows' | 'condition'>, dialect: Dialect) {
  if (condition === undefined) return fromRows(rows, { named: [] }, dialect);
  const needed = { named: attributesOf(condition), inner: rejectedNulls(condition) };
  return fromRows(rows, needed, dialect);
}

export function lateJoins(plan: Plan, dialect: Dialect): LateJoins | undefined {
  const { rows, attributes, order } = plan;
  if (rows.kind === 'groups') return undefined;
  const shown = new Set(ownColumns(rows, plan));
  const late = readLate(plan);
  const values = valuesIn(rows, dialect);
  const valueOf: ValueOf = (column) => (late.has(column) ? values(column) : undefined);
  const joins = joinsFor(rows, { named: [...attributes, ...order] }, dialect);
  return {
    columns: cutOf(rows, plan).map((column) => columnOf({ column })),
    from: (cut) => sql`${listedAs(withComputed(cut, shown, valueOf))}${joins}`,
  };
}

/** What filter and order name, and columns of the rows of a page that is joined late. */
export function cutColumns(plan: Plan, order = plan.order): NamedColumn[] {
  const { rows, condition } = plan;
  const own = rows.kind === 'groups' ? [] : cutOf(rows, plan);
  return [...attributesOf(condition), ...order, ...own.map((column) => ({ column }))];
}

function ownColumns({ joins }: TableRows, { attributes, order }: Plan): string[] {
  const named = [...attributes, ...order];
  const columns = named.flatMap(({ column, join }) => (join === undefined ? column : []));
  return [...new Set([...columns, ...heldColumns(joins, named)])];
}

function cutOf(rows: TableRows, plan: Plan): string[] {
  const late = readLate(plan);
  return [...new Set(ownColumns(rows, plan).flatMap((column) => late.get(column) ?? column))];
}

function heldColumns(joins: readonly Join[], named: readonly NamedColumn[]): string[] {
  const joined = withOrigins(joins, new Set(named.map(({ join }) => join)));
  return joined.flatMap(({ from, toOne }) => (from === undefined ? toOne.columns : []));
}

/** What columns read that a page shows, and neither filter nor order nor joins need before. */
function readLate(plan: Plan): ReadonlyMap<string, readonly string[]> {
  const { rows, facts, condition, attributes, order } = plan;
  if (rows.kind === 'groups' || facts.varies !== undefined) return new Map();
  const { joins } = rows;
  const needed = [...attributesOf(condition), ...order];
  const early = new Set([
    ...needed.flatMap(({ column, join }) => (join === undefined ? column : [])),
    ...heldColumns(joins, [...needed, ...attributes]),
  ]);
  const late = attributes.flatMap(({ column, join }) => {
    const isLate = join === undefined && !early.has(column);
    const reads = isLate ? readsOf(rows, column) : undefined;
    return reads === undefined ? [] : [[column, reads] as const];
  });
  return new Map(late);
}

function readsOf({ model, related }: TableRows, column: string): readonly string[] | undefined {
  const value = related?.get(column);
  if (value === undefined) return model.columns.get(column)?.computed?.reads;
  return value.toOne.key.map((part) => part.column);
}

export function clausesWithin(plan: Plan, page: PageClauses, condition: Expression): PageClauses {
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

export function orderOf(order: readonly OrderTerm[], dialect: Dialect): Expression {
  return sql.join(order.map((term) => dialect.orderTerm(sortedColumn(term, dialect), term)));
}

export function sortedColumn(term: OrderTerm, dialect: Dialect): Expression {
  const stored = columnOf(term);
  const { field } = term;
  return field === undefined ? stored : (dialect.comparable?.(stored, field) ?? stored);
}

export interface OrderedField {
  readonly term: OrderTerm;
  readonly field: Field;
}

export function orderedFields({ name, rows, order }: Plan): OrderedField[] {
  return order.map((term) => {
    const field = term.field ?? modelOf(rows, term)?.columns.get(term.column);
    if (field === undefined)
      throw new Error(`${name} is ordered by ${term.column}, which it does not have.`);
    return { term, field };
  });
}

/** Undefined where they cannot be keys, or where each read would compute them of all rows. */
export function keyFields(plan: Plan, keys: KeyDialect | undefined): OrderedField[] | undefined {
  const { rows, order } = plan;
  if (keys === undefined || rows.kind === 'groups') return undefined;
  if (order.some((term) => term.join === undefined && rows.related?.has(term.column) === true))
    return undefined;
  const fields = orderedFields(plan);
  return fields.every(({ field }) => keys.isPossible?.(field) ?? true) ? fields : undefined;
}

function modelOf(rows: Rows, { join }: OrderTerm): Model | undefined {
  if (rows.kind === 'groups') return undefined;
  return join === undefined ? rows.model : rows.joins.find(({ number }) => number === join)?.target;
}

type Clauses = ListPart & Pick<PageClauses, 'late' | 'parts'>;

/** Late joins look up the rows of a page alone, and may shuffle them: they are ordered again. */
export function cutPage(
  columns: readonly Expression[],
  { late, parts, ...list }: Clauses,
): Expression {
  const shown = sql.join(late?.columns ?? columns);
  const cut = parts === undefined ? limited(shown, list) : cutParts(shown, parts);
  if (late === undefined) return cut;
  return sql`select ${sql.join(columns)} from ${late.from(sql`(${cut})`)} order by ${list.order}`;
}

/**
 * The second part fills what the first one lacks; it is read only where rows are missing, and the
 * first is counted only where none of its rows is on the page:
 *
 *     with "found" as materialized (select … order by … limit ? offset ?)
 *     select * from "found" union all select * from (
 *       select … order by … limit ? - (select count(*) from "found")
 *         offset case when ? = 0 or exists (select 1 from "found") then 0
 *           else ? - (select count(*) …) end
 *     ) as "s"
 */
function cutParts(shown: Expression, { parts, found }: ListParts): Expression {
  const [first, second] = parts;
  if (first === undefined) throw new Error('A list has one part at least.');
  const begun = limited(shown, first);
  if (second === undefined) return begun;
  const passed = sql`(select count(*) from ${first.from}${first.where})`;
  const isBegun = sql`${OFFSET} = 0 or exists (select 1 from ${found})`;
  const range = {
    limit: sql`${LIMIT} - (select count(*) from ${found})`,
    offset: sql`case when ${isBegun} then 0 else ${OFFSET} - ${passed} end`,
  };
  const rest = sql`(${limited(shown, second, range)}) as ${sql.id('s')}`;
  return sql`with ${found} as materialized (${begun})
    select * from ${found} union all select * from ${rest}`;
}

const PAGE = { limit: sql`${LIMIT}`, offset: sql`${OFFSET}` };

function limited(shown: Expression, { from, where, order }: ListPart, { limit, offset } = PAGE) {
  const rows = sql`select ${shown} from ${from}${where} order by ${order}`;
  return sql`${rows} limit ${limit} offset ${offset}`;
}
