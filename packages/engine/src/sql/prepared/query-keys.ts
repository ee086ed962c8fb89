import { hash } from 'node:crypto';

import { sessionShape } from '../../catalogue/database-session.ts';
import type { Model, OrderTerm } from '../../catalogue/model.ts';
import {
  attributesOf,
  type Condition,
  type NamedColumn,
  type Referring,
} from '../../planning/condition.ts';
import { type ListRows, type Rows, type TableRows, valueIn } from '../../planning/list-rows.ts';
import { groupedColumns } from '../../planning/needed-columns.ts';
import type { Plan } from '../../planning/plan.ts';
import { withOrigins } from '../clauses/joins.ts';

/** Memory beside the condition's characters and the attributes. */
const QUERY_BYTES = 8000;
const CONDITION_FACTOR = 5;
const ATTRIBUTE_BYTES = 1000;

/** Hashes, as conditions may be long; with row policies, so that different ones share no total. */
export class QueryKeys {
  /** Equal for lists of the same records, in any order: they share a total. */
  readonly totalKey: string;
  /** Equal for lists of the same records in the same order: they share a page index. */
  readonly orderKey: string;
  /** Equal for equal lists. */
  readonly key: string;
  /** Equal for lists with the same names of model and attributes. */
  readonly namesKey: string;
  readonly bytes: number;

  constructor(plan: Plan) {
    const { condition, order, attributes, rows } = plan;
    const records = JSON.stringify([rowsShape(plan, attributesOf(condition)), shapeOf(condition)]);
    this.totalKey = hash('sha256', records, 'base64url');
    this.orderKey = hashOf([this.totalKey, order.map((term) => orderShape(term, rows))]);
    const names = attributes.map(({ name }) => name);
    const shown =
      rows.kind === 'table'
        ? [joinShapes(rows, attributes), ...computedIn(rows, attributes)]
        : null;
    this.key = hashOf([this.orderKey, names, shown]);
    this.namesKey = hashOf([plan.name, names]);
    this.bytes =
      QUERY_BYTES + records.length * CONDITION_FACTOR + attributes.length * ATTRIBUTE_BYTES;
  }
}

/** @param named the columns by which their number depends on other models */
export function rowsShape(
  { name, rows, session }: Pick<ListRows, 'name' | 'rows' | 'session'>,
  named: readonly NamedColumn[],
): unknown {
  if (session !== undefined) return [sessionShape(session), rowsShape({ name, rows }, named)];
  if (rows.kind === 'table') {
    const { kind, model } = rows;
    const { path, selection } = model;
    const along = joinShapes(rows, named);
    return [kind, name, selection?.sql ?? path, along, ...computedIn(rows, named)];
  }
  const { of, condition, groups, aggregates } = rows;
  return [
    rows.kind,
    rowsShape({ name, rows: of }, groupedColumns(rows)),
    shapeOf(condition),
    groups.map((group) => [group.name, group.attribute.name, group.by]),
    aggregates.map((one) => [one.name, one.op, one.attribute?.name]),
  ];
}

function computedIn(rows: TableRows, named: readonly NamedColumn[]): unknown[] {
  const own = named.flatMap(({ column, join }) => (join === undefined ? column : []));
  return [...new Set(own)].flatMap((column) => {
    const value = valueIn(rows, column);
    if (value === undefined) return [];
    if ('sql' in value) return [[column, value]];
    return [[column, [value.op, value.attribute?.name, ...referringShape(value)]]];
  });
}

/** With all of its computed columns, of which requests add none. */
function relationShape(model: Model): unknown {
  const rows: TableRows = { kind: 'table', model, joins: [] };
  const columns = [...model.columns.keys()].map((column) => ({ column }));
  return [model.selection?.sql ?? model.path, computedIn(rows, columns)];
}

function joinShapes({ joins }: Pick<TableRows, 'joins'>, named: readonly NamedColumn[]): unknown {
  const numbers = new Set(named.map(({ join }) => join));
  return withOrigins(joins, numbers).map(({ path, target, policy }) => [
    path,
    target.name,
    relationShape(target),
    shapeOf(policy),
  ]);
}

export function hashOf(content: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(content), 'base64url');
}

function orderShape(term: OrderTerm, rows: Rows): unknown {
  const { column, direction, nulls, field } = term;
  const read = rows.kind === 'table' ? [joinShapes(rows, [term]), computedIn(rows, [term])] : [];
  return [column, direction, nulls, field?.type, field?.storedAs, ...read];
}

/** JSON that is equal only for equal conditions. */
export function shapeOf(condition: Condition | undefined): unknown {
  if (condition === undefined) return null;
  if ('and' in condition) return { and: condition.and.map(shapeOf) };
  if ('or' in condition) return { or: condition.or.map(shapeOf) };
  if ('not' in condition) return { not: shapeOf(condition.not) };
  if ('referred' in condition) {
    const { referred } = condition;
    return { referred: [referred.isThere, ...referringShape(referred)] };
  }
  const { attribute, op, values } = condition;
  // JSON has one text for NaN and the infinities, and none for a bigint.
  return [attribute.name, op, values.map((value) => [typeof value, String(value)])];
}

function referringShape({ owner, toOne, joins, condition }: Referring): unknown[] {
  const ends = joins.map(({ number }) => ({ column: '', join: number }));
  const along = joinShapes({ joins }, ends);
  return [owner.name, relationShape(owner), toOne.name, along, shapeOf(condition)];
}
