import { sql } from 'kysely';

import type { Field } from '../../catalogue/field.ts';
import type { Model, OrderTerm } from '../../catalogue/model.ts';
import { attributesOf, type Join, type NamedColumn } from '../../planning/condition.ts';
import { type Rows, type TableRows, valueIn } from '../../planning/list-rows.ts';
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
  const { rows, condition, order } = plan;
  const joined = joinsLate(plan) ? plan : undefined;
  const named = joined === undefined ? neededColumns(plan) : cutColumns(joined);
  const counted = { named: attributesOf(condition), inner: condition && rejectedNulls(condition) };
  return {
    from: fromRows(rows, { named }, dialect),
    counted: fromRows(rows, counted, dialect),
    where: condition === undefined ? sql`` : sql` where ${compileCondition(condition, dialect)}`,
    order: orderOf(order, dialect),
    outputs: outputsBeside('c', order),
    ...(joined && { late: lateJoins(joined, dialect) }),
    reversed: false,
    maxBytes,
  };
}

export function wholeListClauses(plan: Plan, dialect: Dialect, maxBytes: number): PageClauses {
  const { late: _, ...clauses } = pageClauses(plan, dialect, maxBytes);
  return { ...clauses, from: fromRows(plan.rows, { named: neededColumns(plan) }, dialect) };
}

export type RecordsPlan = Plan & { readonly rows: TableRows };

function joinsLate(plan: Plan): plan is RecordsPlan {
  const { rows, attributes } = plan;
  if (rows.kind === 'groups') return false;
  return attributes.some(({ join }) => join !== undefined) || readLate({ ...plan, rows }).size > 0;
}

export function lateJoins(plan: RecordsPlan, dialect: Dialect): LateJoins {
  const { rows, attributes, order } = plan;
  const shown = new Set(ownColumns(plan));
  const late = readLate(plan);
  const values = valuesIn(rows, dialect);
  const valueOf: ValueOf = (column) => (late.has(column) ? values(column) : undefined);
  const joins = joinsFor(rows, { named: [...attributes, ...order] }, dialect);
  return {
    columns: cutOf(plan).map((column) => columnOf({ column })),
    from: (cut) => sql`${listedAs(withComputed(cut, shown, valueOf))}${joins}`,
  };
}

/** What filter and order name, and columns of the rows of a page that is joined late. */
export function cutColumns(plan: RecordsPlan, order = plan.order): NamedColumn[] {
  const own = cutOf(plan).map((column) => ({ column }));
  return [...attributesOf(plan.condition), ...order, ...own];
}

function ownColumns({ rows, attributes, order }: RecordsPlan): string[] {
  const named = [...attributes, ...order];
  return [...new Set([...columnsOfRows(named), ...heldColumns(rows.joins, named)])];
}

function columnsOfRows(named: readonly NamedColumn[]): string[] {
  return named.filter(({ join }) => join === undefined).map(({ column }) => column);
}

function cutOf(plan: RecordsPlan): string[] {
  const late = readLate(plan);
  return [...new Set(ownColumns(plan).flatMap((column) => late.get(column) ?? column))];
}

function heldColumns(joins: readonly Join[], named: readonly NamedColumn[]): string[] {
  const joined = withOrigins(joins, new Set(named.map(({ join }) => join)));
  return joined.flatMap(({ from, toOne }) => (from === undefined ? toOne.columns : []));
}

/** What columns read that a page shows, and neither filter nor order nor joins need before. */
function readLate(plan: RecordsPlan): ReadonlyMap<string, readonly string[]> {
  const { rows, facts, condition, attributes, order } = plan;
  if (facts.varies !== undefined) return new Map();
  const needed = [...attributesOf(condition), ...order];
  const held = heldColumns(rows.joins, [...needed, ...attributes]);
  const early = new Set([...columnsOfRows(needed), ...held]);
  const late = attributes.flatMap(({ column }) => {
    const reads = early.has(column) ? undefined : valueIn(rows, column)?.reads;
    return reads === undefined ? [] : [[column, reads] as const];
  });
  return new Map(late);
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
  if (columnsOfRows(order).some((column) => valueIn(rows, column)?.isOfRow === false))
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
