import { hash } from 'node:crypto';

import type { OrderTerm } from '../../catalogue/model.ts';
import type { Condition } from '../../planning/condition.ts';
import type { ListRows } from '../../planning/list-rows.ts';
import type { Plan } from '../../planning/plan.ts';

/** The keys under which facts about a list are kept, and what the list takes in memory. */
export interface QueryKeys {
  /**
   * The same for lists of the same records, in whatever order and with whatever attributes: they
   * have one total.
   */
  readonly totalKey: string;
  /** The same for lists of the same records in the same order: they have one page index. */
  readonly orderKey: string;
  /** The same for equal lists. */
  readonly key: string;
  /** The same for lists whose records have the same names: those of the model and of attributes. */
  readonly namesKey: string;
  /** What the prepared query takes in memory, in bytes, estimated. */
  readonly bytes: number;
}

/**
 * What a prepared query takes beside its condition and its attributes, for each character of the
 * former and each of the latter.
 */
const QUERY_BYTES = 8000;
const CONDITION_FACTOR = 5;
const ATTRIBUTE_BYTES = 1000;

/**
 * Hashes, since a condition may be long. The condition includes the row policy, so that callers
 * with different row policies never share a total.
 */
export function keysOf(plan: Plan): QueryKeys {
  const { condition, order, attributes } = plan;
  const records = JSON.stringify([
    rowsShape(plan),
    condition === undefined ? null : conditionShape(condition),
  ]);
  const totalKey = hash('sha256', records, 'base64url');
  const orderKey = hashOf([totalKey, order.map(orderShape)]);
  const names = attributes.map(({ name }) => name);
  const key = hashOf([orderKey, names]);
  const namesKey = hashOf([plan.name, names]);
  const bytes =
    QUERY_BYTES + records.length * CONDITION_FACTOR + attributes.length * ATTRIBUTE_BYTES;
  return { totalKey, orderKey, key, namesKey, bytes };
}

/** What the rows of a list are, as JSON has it: the same for equal rows, and for no others. */
export function rowsShape({ name, rows, relations }: ListRows): unknown {
  return [rows.kind, name, relations];
}

export function hashOf(content: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(content), 'base64url');
}

function orderShape({ column, direction, nulls, field }: OrderTerm): unknown {
  return [column, direction, nulls, field?.type, field?.storedAs];
}

/** What a condition says, as JSON has it: the same for equal conditions, and for no others. */
export function conditionShape(condition: Condition): unknown {
  if ('and' in condition) return { and: condition.and.map(conditionShape) };
  if ('or' in condition) return { or: condition.or.map(conditionShape) };
  if ('not' in condition) return { not: conditionShape(condition.not) };
  const { attribute, op, values } = condition;
  // JSON has one text for NaN and the infinities, and none for a bigint.
  return [attribute.name, op, values.map((value) => [typeof value, String(value)])];
}
