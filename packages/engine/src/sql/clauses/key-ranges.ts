import { sql } from 'kysely';

import type { OrderTerm } from '../../catalogue/model.ts';
import type { Dialect, KeyDialect } from '../dialect.ts';
import type { OrderedField } from './page-clauses.ts';
import { keyOperands, seekCondition } from './seek.ts';
import type { Expression } from '../statement.ts';

export type Key = readonly unknown[];

/** Rows that one index scan reads: equal to a key in its first columns, later in the next. */
export interface KeyRange {
  /** For each of the key's equal first values, whether it is NULL. */
  readonly nulls: readonly boolean[];
  /** `from_key`: at or after the key, with NULL in the first column only if the key has it. */
  readonly next: 'anything' | 'later' | 'null' | 'not_null' | 'from_key';
}

/** From a key on, within the rows whose first value is NULL like the key's, or is not. */
export function rangeFrom(key: Key): KeyRange {
  return { nulls: key.map((value) => value === null), next: 'from_key' };
}

const EVERY_ROW: KeyRange = { nulls: [], next: 'anything' };

/** NULL and the others apart where needed. No index has the NULL of rows that lead nowhere. */
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
 * All after a key, one index range each, since most databases would check a single condition row by
 * row. By name and number, after `('Ada', 7)`:
 *
 *     name = 'Ada' and number > 7
 *     name > 'Ada'
 *     name is null
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

function stepsAfter({ nulls, nullable }: OrderTerm, isNull: boolean): KeyRange['next'][] {
  if (isNull) return nulls === 'first' ? ['not_null'] : [];
  return nullable && nulls === 'last' ? ['later', 'null'] : ['later'];
}

/** Leaves out columns that are equal in all rows, and where NULL goes if no row has it. */
export function orderWithin({ nulls, next }: KeyRange, order: readonly OrderTerm[]): OrderTerm[] {
  if (next === 'anything' || next === 'from_key') return [...order];
  const isNull = [...nulls, next === 'null'];
  return order.flatMap((term, index) => {
    if (isNull[index] === true) return [];
    return { ...term, nullable: term.nullable && index >= isNull.length };
  });
}

export function rangeCondition(
  terms: readonly OrderedField[],
  dialect: Dialect,
  { nulls, next }: KeyRange,
): Expression | undefined {
  if (next === 'from_key') return fromKey(terms, dialect, nulls);
  const conditions = terms.slice(0, nulls.length + 1).flatMap((ordered, index) => {
    const { column, value, isNull } = keyOperands(ordered, index, dialect);
    const later = sql.raw(ordered.term.direction === 'asc' ? '>' : '<');
    switch (nulls[index] ?? next) {
      case true:
      case 'null':
        return isNull;
      case false:
        return sql`${column} = ${value}`;
      case 'later':
        return sql`${column} ${later} ${value}`;
      case 'not_null':
        return sql`${column} is not null`;
      default:
        return [];
    }
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
