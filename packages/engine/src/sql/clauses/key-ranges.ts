import { type RawBuilder, sql } from 'kysely';

import type { OrderTerm } from '../../catalogue/model.ts';
import type { Dialect, KeyDialect } from '../dialect.ts';
import type { OrderedField } from './page-clauses.ts';
import { keyOperands, type KeyOperands, seekCondition } from './seek.ts';

type Expression = RawBuilder<unknown>;

/** The values of the columns that order a list, of one record. */
export type Key = readonly unknown[];

/**
 * A part of an ordered list that an index of that order reads from its beginning: rows that have
 * the first values of a key, and a later value behind them.
 */
export interface KeyRange {
  /** Which of the first values of the key are NULL; the range has as many of them. */
  readonly nulls: readonly boolean[];
  /**
   * How the next column compares with the key's value of it. `from_key`: all columns together are
   * at or after the whole key, and the first of them is NULL only if the key's first value is.
   */
  readonly next: 'anything' | 'later' | 'null' | 'not_null' | 'from_key';
}

/**
 * The record with a key, and what comes after it: where its first value is NULL, of the records
 * that have NULL there too, and else of those that have none.
 */
export function rangeFrom(key: Key): KeyRange {
  return { nulls: key.map((value) => value === null), next: 'from_key' };
}

const EVERY_ROW: KeyRange = { nulls: [], next: 'anything' };

/**
 * All of an ordered list, in ranges: where NULL is read apart, the rows with it and the others. No
 * index has the NULL of rows that lead nowhere.
 */
export function rangesOfAll(
  [first]: readonly OrderTerm[],
  { ordersNull }: Pick<KeyDialect, 'ordersNull'>,
): KeyRange[] {
  const isInOrder = ordersNull && first?.join === undefined;
  if (isInOrder || first?.nullable !== true) return [EVERY_ROW];
  const ranges = (['null', 'not_null'] as const).map((next) => ({ nulls: [], next }));
  return first.nulls === 'first' ? ranges : ranges.toReversed();
}

/**
 * All that comes after the record with this key, in order. By name and number, after `('Ada', 7)`:
 *
 *     name = 'Ada' and number > 7
 *     name > 'Ada'
 *     name is null
 *
 * Each is one range of an index. A single condition for all of them most databases would check row
 * by row.
 */
export function rangesAfter(order: readonly OrderTerm[], key: Key): KeyRange[] {
  const isNull = key.map((value) => value === null);
  const byColumn = order.map((term, index) =>
    stepsAfter(term, isNull[index] ?? false).map((next) => ({
      nulls: isNull.slice(0, index),
      next,
    })),
  );
  return byColumn.toReversed().flat();
}

/** What comes after a value of one column, in order. */
function stepsAfter({ nulls, nullable }: OrderTerm, isNull: boolean): KeyRange['next'][] {
  if (isNull) return nulls === 'first' ? ['not_null'] : [];
  return nullable && nulls === 'last' ? ['later', 'null'] : ['later'];
}

/**
 * The order of the rows of a range. Columns in which all its rows are equal are left out, and
 * `nulls first` or `last` is said only where a row may have NULL.
 */
export function orderWithin({ nulls, next }: KeyRange, order: readonly OrderTerm[]): OrderTerm[] {
  if (next === 'anything' || next === 'from_key') return [...order];
  const isNull = [...nulls, next === 'null'];
  return order.flatMap((term, index) => {
    if (isNull[index] === true) return [];
    return { ...term, nullable: term.nullable && index >= isNull.length };
  });
}

/** The condition that rows of a range meet; undefined where that is every row. */
export function rangeCondition(
  terms: readonly OrderedField[],
  dialect: Dialect,
  { nulls, next }: KeyRange,
): Expression | undefined {
  if (next === 'from_key') return fromKey(terms, dialect, nulls);
  const conditions = terms.slice(0, nulls.length + 1).flatMap((ordered, index) => {
    const operands = keyOperands(ordered, index, dialect);
    const compared = { ...operands, direction: ordered.term.direction };
    const isNull = nulls[index];
    if (isNull === undefined) return comparisonOf(compared, next) ?? [];
    return isNull ? operands.isNull : sql`${operands.column} = ${operands.value}`;
  });
  return conditions.length === 0 ? undefined : sql.join(conditions, sql` and `);
}

function fromKey(
  terms: readonly OrderedField[],
  dialect: Dialect,
  nulls: readonly boolean[],
): Expression {
  const onwards = seekCondition(terms, dialect, { nulls, reachesNulls: false });
  const [first] = terms;
  if (first === undefined || nulls[0] !== true || first.term.nulls === 'last') return onwards;
  return sql`${keyOperands(first, 0, dialect).isNull} and ${onwards}`;
}

interface Compared extends KeyOperands {
  readonly direction: OrderTerm['direction'];
}

function comparisonOf(
  { column, value, isNull, direction }: Compared,
  next: Exclude<KeyRange['next'], 'from_key'>,
): Expression | undefined {
  switch (next) {
    case 'anything':
      return undefined;
    case 'later':
      return sql`${column} ${sql.raw(direction === 'asc' ? '>' : '<')} ${value}`;
    case 'null':
      return isNull;
    case 'not_null':
      return sql`${column} is not null`;
  }
}
