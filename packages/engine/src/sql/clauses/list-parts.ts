import { sql } from 'kysely';

import type { OrderTerm } from '../../catalogue/model.ts';
import { attributesOf } from '../../planning/condition.ts';
import type { Plan } from '../../planning/plan.ts';
import type { Dialect, ListPart, PageClauses } from '../dialect.ts';
import { freeName } from './single-evaluation.ts';
import { compileCondition, linkedRows } from './condition.ts';
import { fromRows } from './from-rows.ts';
import { linkCondition, withOrigins } from './joins.ts';
import {
  clausesWithin,
  cutColumns,
  lateJoins,
  orderedFields,
  orderOf,
  pageClauses,
  type RecordsPlan,
  reversedTerm,
  sortedColumn,
} from './page-clauses.ts';
import { seekCondition, type SeekShape, withPlaceholdersFrom } from './seek.ts';
import type { Expression } from '../statement.ts';

interface RelatedOrder extends RecordsPlan {
  readonly order: readonly [OrderTerm & { readonly join: number }, ...OrderTerm[]];
}

/** The part without NULL first can use an index of the other table, which orders no others. */
export function hasParts(plan: Plan, { readsParts }: Dialect): plan is RelatedOrder {
  const { facts, order, condition } = plan;
  const isRead = readsParts === 'all' || (readsParts === 'unfiltered' && condition === undefined);
  const isOfOneState = facts.hasSnapshots && facts.varies === undefined;
  return isRead && isOfOneState && order[0]?.join !== undefined;
}

export function pageInParts(plan: Plan, dialect: Dialect, maxBytes: number): PageClauses {
  const page = pageClauses(plan, dialect, maxBytes);
  if (!hasParts(plan, dialect)) return page;
  const parts = partsInOrder(plan).map((ofNull) => partOf(plan, dialect, { ofNull }));
  return { ...page, ...inParts(plan, dialect, parts) };
}

function inParts(plan: RecordsPlan, dialect: Dialect, parts: readonly ListPart[]) {
  return { late: lateJoins(plan, dialect), parts: { parts, found: freeName('found', plan) } };
}

export function reversedInParts(plan: Plan, dialect: Dialect, maxBytes: number): PageClauses {
  const order = plan.order.map(reversedTerm);
  return { ...pageInParts({ ...plan, order }, dialect, maxBytes), reversed: true };
}

export interface Seek {
  readonly shape: SeekShape;
  readonly maxBytes: number;
}

export function pageFromKey(plan: Plan, dialect: Dialect, { shape, maxBytes }: Seek): PageClauses {
  const page = pageClauses(plan, dialect, maxBytes);
  if (!hasParts(plan, dialect))
    return clausesWithin(plan, page, seekCondition(orderedFields(plan), dialect, shape));
  const [first, second] = partsInOrder(plan);
  const ofNull = shape.nulls[0] === true;
  const from = partOf(plan, dialect, { ofNull, within: seekWithin(plan, dialect, shape) });
  const reachesSecond = first === ofNull && (ofNull || shape.reachesNulls);
  const later = reachesSecond ? [partOf(plan, dialect, { ofNull: second })] : [];
  return { ...page, ...inParts(plan, dialect, [from, ...later]) };
}

function seekWithin(plan: RelatedOrder, dialect: Dialect, { nulls }: SeekShape): Expression {
  const terms = orderedFields(plan);
  if (nulls[0] !== true) return seekCondition(terms, dialect, { nulls, reachesNulls: false });
  const others = { nulls: nulls.slice(1), reachesNulls: true };
  return seekCondition(terms.slice(1), withPlaceholdersFrom(1, dialect), others);
}

function partsInOrder({ order: [first] }: RelatedOrder): readonly [boolean, boolean] {
  return first.nulls === 'first' ? [true, false] : [false, true];
}

export interface PartRows {
  readonly ofNull: boolean;
  /** A further condition, without the first column where that is NULL. Default: all. */
  readonly within?: Expression | undefined;
}

/** Does not join what is NULL in all rows of the part. */
export function partOf(
  plan: RelatedOrder,
  dialect: Dialect,
  { ofNull, within }: PartRows,
): ListPart {
  const { rows } = plan;
  const [first, ...others] = plan.order;
  const order = ofNull ? others : [{ ...first, nullable: false }, ...others];
  const named = cutColumns(plan, order);
  const inner = new Set([first.join]);
  const from = fromRows(rows, ofNull ? { named } : { named, inner }, dialect);
  const isOfPart = ofNull ? hasNoValue(plan, dialect) : isValue(first, dialect);
  const all = within === undefined ? isOfPart : sql`${isOfPart} and ${within}`;
  const page = { ...pageClauses(plan, dialect, 0), from, order: orderOf(order, dialect) };
  return clausesWithin(plan, page, all);
}

/** Unlike `is not null`, true for a row of NULLs, which PostgreSQL sorts among the values. */
function isValue(term: OrderTerm, dialect: Dialect): Expression {
  return sql`${sortedColumn(term, dialect)} is distinct from null`;
}

/** Databases find out sooner by `not exists` than by an outer join. */
function hasNoValue({ rows, order: [first] }: RelatedOrder, dialect: Dialect): Expression {
  const [link, ...joins] = withOrigins(rows.joins, new Set([first.join]));
  if (link === undefined) throw new Error('A related attribute is behind a relation.');
  const { number, target, policy } = link;
  const inner = new Set(joins.map((join) => join.number));
  const named = [
    first,
    ...attributesOf(policy),
    ...link.toOne.key.map(({ column }) => ({ column, join: number })),
  ];
  const list = linkedRows({ model: target, number, joins, named, inner }, dialect);
  const conditions = [
    linkCondition(link, { target: number, owner: undefined }, dialect),
    ...(policy === undefined ? [] : [compileCondition(policy, dialect)]),
    isValue(first, dialect),
  ];
  return sql`not exists (select 1 from ${list} where ${sql.join(conditions, sql` and `)})`;
}
