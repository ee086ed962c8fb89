import { sql } from 'kysely';

import type { Dialect, KeyDialect } from '../dialect.ts';
import { isNull } from './condition.ts';
import { type OrderedField, sortedColumn } from './page-clauses.ts';
import type { Expression } from '../statement.ts';
import type { OrderTerm } from '../../catalogue/model.ts';

export interface SeekShape {
  readonly nulls: readonly boolean[];
  /** Whether NULL may be wanted after a first value that is not; means nothing with NULL first. */
  readonly reachesNulls: boolean;
  /** Whether to leave out the rows with the key itself. Default: false. */
  readonly isStrict?: boolean;
}

/**
 * The rows from a key on. With one direction and no NULL, a comparison of rows, where an index
 * serves it:
 *
 *     ("t"."name", "t"."id") >= (?, ?)
 *
 * Otherwise it is written out, behind a bound of the first column for an index to start from:
 *
 *     "t"."people" <= ? and ("t"."people" < ? or ("t"."people" = ? and "t"."id" >= ?))
 */
export function seekCondition(
  terms: readonly OrderedField[],
  dialect: Dialect,
  shape: SeekShape,
): Expression {
  const parts = terms.map((ordered, index) => new SeekTerm(ordered, dialect, { index, ...shape }));
  const [first] = parts;
  if (first === undefined) throw new Error('A list without an order has no keys.');
  const directions = new Set(terms.map(({ term }) => term.direction));
  const comparesRows = dialect.keys?.comparesRows ?? false;
  if (comparesRows && directions.size === 1 && terms.every(({ term }) => !term.nullable)) {
    const columns = sql.join(parts.map(({ column }) => column));
    const values = sql.join(parts.map(({ value }) => value));
    return sql`(${columns}) ${shape.isStrict === true ? first.later : first.onwards} (${values})`;
  }
  const exact = parts.reduceRight<Expression | undefined>(
    (rest, part) => part.fromHereOn(rest),
    undefined,
  );
  const bound = first.bound();
  return bound === undefined ? sql`(${exact})` : sql`${bound} and (${exact})`;
}

export function keyOperands({ term, field }: OrderedField, index: number, dialect: Dialect) {
  if (dialect.keys === undefined) throw new Error('The database has no keys.');
  const collate = term.collation === undefined ? sql`` : sql` collate ${sql.raw(term.collation)}`;
  const sorted = sql`${sortedColumn(term, dialect)}${collate}`;
  const column = dialect.keys.compared?.(sorted, field) ?? sorted;
  return {
    column,
    isNull: isNull(column, dialect),
    value: dialect.keys.operand({ placeholder: 'key', index }, field),
  };
}

/** Moves the placeholders of keys behind `first` others. */
export function withPlaceholdersFrom(first: number, dialect: Dialect): Dialect {
  const { keys } = dialect;
  if (keys === undefined) return dialect;
  const operand: KeyDialect['operand'] = (placeholder, field) =>
    keys.operand(
      'index' in placeholder ? { ...placeholder, index: first + placeholder.index } : placeholder,
      field,
    );
  return { ...dialect, keys: { ...keys, operand } };
}

class SeekTerm {
  readonly column: Expression;
  readonly value: Expression;
  readonly onwards: Expression;
  readonly later: Expression;
  readonly #columnIsNull: Expression;
  readonly #isNull: boolean;
  /** Whether NULL comes after a value, and may be wanted. */
  readonly #addsNulls: boolean;
  readonly #nullsFirst: boolean;
  readonly #isStrict: boolean;

  constructor(
    ordered: OrderedField,
    dialect: Dialect,
    place: SeekShape & { readonly index: number },
  ) {
    const { term } = ordered;
    const { index, nulls, reachesNulls, isStrict = false } = place;
    this.#isStrict = isStrict;
    const operands = keyOperands(ordered, index, dialect);
    ({ column: this.column, value: this.value, isNull: this.#columnIsNull } = operands);
    this.onwards = sql.raw(term.direction === 'asc' ? '>=' : '<=');
    this.later = sql.raw(term.direction === 'asc' ? '>' : '<');
    this.#isNull = nulls[index] ?? false;
    this.#nullsFirst = term.nulls === 'first';
    this.#addsNulls = term.nullable && !this.#nullsFirst && (index > 0 || reachesNulls);
  }

  fromHereOn(rest: Expression | undefined): Expression {
    const later = this.#strictlyLater();
    if (rest === undefined) return this.#isStrict ? (later ?? sql`false`) : this.#laterOrSame();
    const same = this.#isNull ? this.#columnIsNull : sql`${this.column} = ${this.value}`;
    return later === undefined
      ? sql`${same} and (${rest})`
      : sql`${later} or (${same} and (${rest}))`;
  }

  /** What this column alone allows from the key on; undefined where no index could use it. */
  bound(): Expression | undefined {
    if (this.#isNull) return this.#nullsFirst ? undefined : this.#columnIsNull;
    return this.#addsNulls ? undefined : sql`${this.column} ${this.onwards} ${this.value}`;
  }

  #laterOrSame(): Expression {
    if (this.#isNull) return this.#nullsFirst ? sql`true` : this.#columnIsNull;
    const later = sql`${this.column} ${this.onwards} ${this.value}`;
    return this.#addsNulls ? sql`(${later} or ${this.#columnIsNull})` : later;
  }

  #strictlyLater(): Expression | undefined {
    if (this.#isNull) return this.#nullsFirst ? sql`${this.column} is not null` : undefined;
    const later = sql`${this.column} ${this.later} ${this.value}`;
    return this.#addsNulls ? sql`${later} or ${this.#columnIsNull}` : later;
  }
}

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
  const nulls = key.map((value) => value === null);
  const byColumn = order.map((term, index) =>
    stepsAfter(term, nulls[index]).map((next) => ({ nulls: nulls.slice(0, index), next })),
  );
  return byColumn.toReversed().flat();
}

function stepsAfter({ nulls, nullable }: OrderTerm, ofNull = false): KeyRange['next'][] {
  if (ofNull) return nulls === 'first' ? ['not_null'] : [];
  return nullable && nulls === 'last' ? ['later', 'null'] : ['later'];
}

/** Leaves out columns that are equal in all rows, and where NULL goes if no row has it. */
export function orderWithin({ nulls, next }: KeyRange, order: readonly OrderTerm[]): OrderTerm[] {
  if (next === 'anything' || next === 'from_key') return [...order];
  const areNull = [...nulls, next === 'null'];
  return order.flatMap((term, index) => {
    if (areNull[index] === true) return [];
    return { ...term, nullable: term.nullable && index >= areNull.length };
  });
}

export function rangeCondition(
  terms: readonly OrderedField[],
  dialect: Dialect,
  { nulls, next }: KeyRange,
): Expression | undefined {
  if (next === 'from_key') {
    const onwards = seekCondition(terms, dialect, { nulls, reachesNulls: false });
    const [first] = terms;
    if (first === undefined || nulls[0] !== true || first.term.nulls === 'last') return onwards;
    return sql`${keyOperands(first, 0, dialect).isNull} and ${onwards}`;
  }
  const conditions = terms.slice(0, nulls.length + 1).flatMap((ordered, index) => {
    const { column, value, ...operands } = keyOperands(ordered, index, dialect);
    const later = sql.raw(ordered.term.direction === 'asc' ? '>' : '<');
    switch (nulls[index] ?? next) {
      case true:
      case 'null':
        return operands.isNull;
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
