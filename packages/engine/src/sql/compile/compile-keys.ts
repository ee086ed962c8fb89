import { sql } from 'kysely';

import type { Plan } from '../../planning/plan.ts';
import { outputsBeside } from '../clauses/relation-rows.ts';
import { compile } from './compile.ts';
import type { Dialect, KeyDialect, ListPart } from '../dialect.ts';
import {
  type KeyRange,
  orderWithin,
  rangeCondition,
  withPlaceholdersFrom,
} from '../clauses/seek.ts';
import { hasParts, partOf, type PartRows } from '../clauses/list-parts.ts';
import {
  clausesWithin,
  keyFields,
  type OrderedField,
  orderedFields,
  orderOf,
  pageClauses,
  sortedColumn,
} from '../clauses/page-clauses.ts';
import type { KeyTemplates } from '../query-statements.ts';
import { type Expression, LIMIT } from '../statement.ts';

export interface KeySelection {
  readonly range: KeyRange;
  readonly step: number;
}

export function compileKeys(
  plan: Plan,
  { keys, ...dialect }: Dialect,
  { range, step }: KeySelection,
): KeyTemplates | undefined {
  const terms = keyFields(plan, keys);
  if (keys === undefined || terms === undefined) return undefined;
  const rows = selectRows(plan, { ...dialect, keys }, range);
  const keyColumn = keyColumnsOf(plan);
  const columns = terms.map(({ field }, index) => keys.column(keyColumn(index), field));
  const order = sql.join(
    plan.order.map((term, index) => dialect.orderTerm(keyColumn(index), term)),
  );
  return {
    keys: compile(keys.select({ rows, keys: columns, order, step }), dialect, plan.relations),
    rows: compile(rows, dialect, plan.relations),
    keyBytes: terms.reduce((sum, { field }) => sum + (keys.bytesOf?.(field) ?? 0), 0),
  };
}

function selectRows(plan: Plan, dialect: Dialect & { readonly keys: KeyDialect }, range: KeyRange) {
  const terms = orderedFields(plan);
  const keyColumn = keyColumnsOf(plan);
  const part = hasParts(plan, dialect)
    ? partOf(plan, dialect, partRange(terms, dialect, range))
    : undefined;
  const { from, where, order } = part ?? clausesOfRange(plan, dialect, range);
  const isNotJoined = part !== undefined && isOfNull(range);
  const columns = terms.map(({ term }, index) => {
    const value = isNotJoined && index === 0 ? sql`null` : sortedColumn(term, dialect);
    return sql`${value} as ${keyColumn(index)}`;
  });
  return sql`select ${sql.join(columns)} from ${from}${where} order by ${order} limit ${LIMIT}`;
}

function clausesOfRange(
  plan: Plan,
  dialect: Dialect & { readonly keys: KeyDialect },
  range: KeyRange,
): ListPart {
  const order = dialect.keys.ordersNull ? plan.order : orderWithin(range, plan.order);
  const page = { ...pageClauses(plan, dialect, 0), order: orderOf(order, dialect) };
  const condition = rangeCondition(orderedFields(plan), dialect, range);
  return condition === undefined ? page : clausesWithin(plan, page, condition);
}

function partRange(terms: readonly OrderedField[], dialect: Dialect, range: KeyRange): PartRows {
  if (!isOfNull(range)) return { ofNull: false, within: rangeCondition(terms, dialect, range) };
  const [, ...nulls] = range.nulls;
  const next = range.nulls.length === 0 ? 'anything' : range.next;
  const others = withPlaceholdersFrom(1, dialect);
  return { ofNull: true, within: rangeCondition(terms.slice(1), others, { nulls, next }) };
}

function isOfNull({ nulls: [isNull], next }: KeyRange): boolean {
  return isNull ?? next === 'null';
}

function keyColumnsOf({ order }: Plan): (index: number) => Expression {
  const beginning = outputsBeside('k', order);
  return (index) => sql.id(`${beginning}${index}`);
}
