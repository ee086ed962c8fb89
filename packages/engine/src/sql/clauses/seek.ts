import { type RawBuilder, sql } from 'kysely';

import type { Dialect, KeyDialect } from '../dialect.ts';
import { isNull } from './is-null.ts';
import { type OrderedField, sortedColumn } from './page-clauses.ts';

type Expression = RawBuilder<unknown>;

/** What the statement that seeks a key depends on besides the list. */
export interface SeekShape {
  /** Which values of the key are NULL. */
  readonly nulls: readonly boolean[];
  /**
   * Whether rows whose first value is NULL, after a key whose first value is not, may be among
   * those that are wanted.
   */
  readonly reachesNulls: boolean;
  /** Whether the rows with the key itself are left out. Default: false. */
  readonly isStrict?: boolean;
}

/**
 * The rows from a key on, in the order of the terms. With one direction and no NULL that is a
 * comparison of rows, where an index serves those:
 *
 *     ("t"."name", "t"."id") >= (?, ?)
 *
 * Otherwise it is written out, and what holds for the first column alone goes before, for an index
 * to start from:
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

/** A column that orders a list, and its value in a key. */
export interface KeyOperands {
  readonly column: Expression;
  readonly value: Expression;
  /** Whether the column is NULL. */
  readonly isNull: Expression;
}

/** @param index the place of the column in the key */
export function keyOperands(
  { term, field }: OrderedField,
  index: number,
  dialect: Dialect,
): KeyOperands {
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

/** The dialect whose keys have their placeholders behind so many others. */
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

interface TermShape extends SeekShape {
  readonly index: number;
}

/** The comparisons of one column with its value in the key. */
class SeekTerm {
  readonly column: Expression;
  readonly value: Expression;
  /** The operator of values that come later, or at the same place. */
  readonly onwards: Expression;
  /** The operator of values that come later. */
  readonly later: Expression;
  readonly #columnIsNull: Expression;
  readonly #isNull: boolean;
  /** Whether NULL may come later than a value. */
  readonly #nullsLater: boolean;
  readonly #nullsFirst: boolean;
  readonly #isStrict: boolean;

  constructor(ordered: OrderedField, dialect: Dialect, place: TermShape) {
    const { term } = ordered;
    const { index, nulls, reachesNulls, isStrict = false } = place;
    this.#isStrict = isStrict;
    const operands = keyOperands(ordered, index, dialect);
    ({ column: this.column, value: this.value, isNull: this.#columnIsNull } = operands);
    this.onwards = sql.raw(term.direction === 'asc' ? '>=' : '<=');
    this.later = sql.raw(term.direction === 'asc' ? '>' : '<');
    this.#isNull = nulls[index] ?? false;
    this.#nullsFirst = term.nulls === 'first';
    this.#nullsLater = term.nullable && !this.#nullsFirst && (index > 0 || reachesNulls);
  }

  /** The condition of rows that come later by this column, or are equal in it and meet `rest`. */
  fromHereOn(rest: Expression | undefined): Expression {
    const later = this.#strictlyLater();
    if (rest === undefined) return this.#isStrict ? (later ?? sql`false`) : this.#laterOrSame();
    const same = this.#isNull ? this.#columnIsNull : sql`${this.column} = ${this.value}`;
    return later === undefined
      ? sql`${same} and (${rest})`
      : sql`${later} or (${same} and (${rest}))`;
  }

  /**
   * A condition on this column alone that every row from the key on meets; undefined where it would
   * be no range of an index.
   */
  bound(): Expression | undefined {
    if (this.#isNull) return this.#nullsFirst ? undefined : this.#columnIsNull;
    return this.#nullsLater ? undefined : sql`${this.column} ${this.onwards} ${this.value}`;
  }

  #laterOrSame(): Expression {
    if (this.#isNull) return this.#nullsFirst ? sql`true` : this.#columnIsNull;
    const later = sql`${this.column} ${this.onwards} ${this.value}`;
    return this.#nullsLater ? sql`(${later} or ${this.#columnIsNull})` : later;
  }

  #strictlyLater(): Expression | undefined {
    if (this.#isNull) return this.#nullsFirst ? sql`${this.column} is not null` : undefined;
    const later = sql`${this.column} ${this.later} ${this.value}`;
    return this.#nullsLater ? sql`${later} or ${this.#columnIsNull}` : later;
  }
}
