import { sql } from 'kysely';

import type { Field, FilterValue } from '../../catalogue/field.ts';
import type { Model } from '../../catalogue/model.ts';
import type { Dialect, TextMatch } from '../dialect.ts';
import { columnOf, columnsByJoin, innerRows, joinedAs } from './relation-rows.ts';
import { joinClauses, type JoinParts, linkCondition, pairsOf } from './joins.ts';
import {
  attributesOf,
  type Comparison,
  type Condition,
  type NamedColumn,
  type PlannedOperator,
  type Referred,
  type Referring,
} from '../../planning/condition.ts';
import type { Expression } from '../statement.ts';

/** Every part is in parentheses, and every value is a parameter. */
export function compileCondition(condition: Condition, dialect: Dialect): Expression {
  return compileWithin(condition, dialect, false);
}

/** @param isNegated whether an odd number of negations surrounds the part */
function compileWithin(condition: Condition, dialect: Dialect, isNegated: boolean): Expression {
  const joined = (parts: readonly Condition[], separator: Expression): Expression =>
    sql`(${sql.join(
      parts.map((part) => compileWithin(part, dialect, isNegated)),
      separator,
    )})`;
  if ('and' in condition) return joined(condition.and, sql` and `);
  if ('or' in condition) return joined(condition.or, sql` or `);
  if ('not' in condition) return sql`not ${compileWithin(condition.not, dialect, !isNegated)}`;
  if ('referred' in condition) return compileReferred(condition.referred, dialect);
  return sql`(${CONDITIONS[condition.op](new Compared(condition, dialect, isNegated))})`;
}

function compileReferred(referred: Referred, dialect: Dialect): Expression {
  const { from, within, where } = referringRows(referred, undefined, dialect);
  const pairs = pairsOf(referred, endsOf(referred));
  const found = dialect.joins?.isAmong?.(pairs, { from, condition: within });
  const exists = found ?? sql`exists (select 1 from ${from} where ${where})`;
  return referred.isThere ? exists : sql`not ${exists}`;
}

export function referringRows(
  referring: Referring,
  shown: NamedColumn | undefined,
  dialect: Dialect,
) {
  const { owner: model, number, joins, condition, toOne } = referring;
  const held = toOne.columns.map((column) => ({ column, join: number }));
  const named = [...attributesOf(condition), ...held, ...(shown ? [shown] : [])];
  const within = condition === undefined ? undefined : compileCondition(condition, dialect);
  const same = linkCondition(referring, endsOf(referring), dialect);
  return {
    from: linkedRows({ model, number, joins, named }, dialect),
    within,
    where: within === undefined ? same : sql`${same} and ${within}`,
  };
}

interface LinkedRows extends Pick<JoinParts, 'joins' | 'named' | 'inner'> {
  readonly model: Model;
  readonly number: number;
}

export function linkedRows({ model, number, ...parts }: LinkedRows, dialect: Dialect): Expression {
  const columns = columnsByJoin(parts.named, parts.joins);
  const rows = joinedAs(innerRows(model, columns(number)), number);
  const compile = (condition: Condition): Expression => compileCondition(condition, dialect);
  return sql`${rows}${joinClauses({ ...parts, dialect, compile })}`;
}

export function endsOf({ from, number }: Referring): Parameters<typeof pairsOf>[1] {
  return { target: from, owner: number };
}

const CONDITIONS: Record<PlannedOperator, (compared: Compared) => Expression> = {
  eq: (it) => it.oneOf(),
  ne: (it) => sql`not (${it.oneOf()})`,
  lt: (it) => it.ordered('<'),
  lte: (it) => it.ordered('<='),
  gt: (it) => it.ordered('>'),
  gte: (it) => it.ordered('>='),
  in: (it) => it.oneOf(),
  not_in: (it) => sql`not (${it.oneOf()})`,
  between: (it) => sql`${it.ordered('>=', 0)} and ${it.ordered('<=', 1)}`,
  is_null: (it) => (it.values[0] === true ? it.isNull() : it.isNotNull()),
  contains: (it) => it.contains(),
  starts_with: (it) => it.matches('start', false),
  ends_with: (it) => it.matches('end', false),
  ieq: (it) => it.matches('whole', true),
  icontains: (it) => it.matches('anywhere', true),
  istarts_with: (it) => it.matches('start', true),
  iends_with: (it) => it.matches('end', true),
  overlaps: (it) => it.meets('overlaps'),
  has: (it) => it.holds(false),
  has_any: (it) => it.holds(false),
  has_all: (it) => it.holds(true),
  is_distinct: (it) => it.distinct(),
};

class Compared {
  readonly column: Expression;
  readonly values: readonly (FilterValue | null)[];
  readonly #field: Field;
  readonly #dialect: Dialect;
  readonly #isNegated: boolean;

  constructor({ attribute, values }: Comparison, dialect: Dialect, isNegated: boolean) {
    this.#isNegated = isNegated;
    this.#field = attribute;
    this.#dialect = dialect;
    this.values = values;
    this.column = columnOf(attribute);
  }

  /** Exact for texts, whatever the collation says. */
  oneOf(): Expression {
    const given = this.values.filter((value) => value !== null);
    const values = given.filter((value) => this.#canHold(String(value)));
    if (values.length === 0) return this.#never();
    if (this.#field.type === 'text')
      return this.#dialect.textIsOneOf(this.column, values.map(String), this.#field);
    const operands = values.flatMap((value) => this.#operands(value));
    return (
      this.#dialect.isOneOf?.(this.column, operands, this.#field) ??
      sql`${this.#comparable()} in (${sql.join(operands)})`
    );
  }

  ordered(operator: '<' | '<=' | '>' | '>=', index = 0): Expression {
    const operand = this.#dialect.operand(this.values[index] ?? '', this.#field);
    return sql`${this.#comparable()} ${sql.raw(operator)} ${operand}`;
  }

  matches(at: TextMatch['at'], ignoreCase: boolean): Expression {
    const value = String(this.values[0]);
    if (!this.#canHold(value)) return this.#never();
    return this.#dialect.textMatches(this.column, { value, at, ignoreCase }, this.#field);
  }

  contains(): Expression {
    return this.#field.type === 'range' ? this.meets('contains') : this.matches('anywhere', false);
  }

  meets(by: 'contains' | 'overlaps'): Expression {
    const value = String(this.values[0]);
    const found = this.#dialect.rangeMeets?.(this.column, { value, by }, this.#field);
    if (found === undefined) throw new Error('This database has no ranges.');
    return found;
  }

  holds(all: boolean): Expression {
    const given = this.values.filter((value) => value !== null);
    const values = given.filter((value) => this.#canHold(String(value)));
    if (all ? values.length < given.length : values.length === 0) return this.#never();
    return this.#dialect.holds(this.column, { values, all }, this.#field);
  }

  isNull(): Expression {
    return isNull(this.column, this.#dialect, this.#field);
  }

  /** A database may take `not (… is not null)` for `is null`, and composite values for neither. */
  isNotNull(): Expression {
    const mayBePlain = !this.#isNegated && this.#field.type !== 'other';
    const isPlain = this.#dialect.isNull === undefined || mayBePlain;
    return isPlain ? sql`${this.column} is not null` : sql`not (${this.isNull()})`;
  }

  /** Never NULL: two NULLs are alike, and NULL differs from every value. */
  distinct(): Expression {
    if (this.values[0] === null) return this.isNotNull();
    return sql`${this.isNull()} or not (${this.oneOf()})`;
  }

  #canHold(text: string): boolean {
    return this.#dialect.canHold?.(text, this.#field) ?? true;
  }

  /** False for values that no record has, and NULL for NULL. */
  #never(): Expression {
    return sql`${this.isNull()} and null`;
  }

  #operands(value: FilterValue): readonly Expression[] {
    const [dialect, field] = [this.#dialect, this.#field];
    return dialect.operands?.(value, field) ?? [dialect.operand(value, field)];
  }

  #comparable(): Expression {
    return this.#dialect.comparable?.(this.column, this.#field) ?? this.column;
  }
}

/** NULL and nothing else that the database takes for it. */
export function isNull(column: Expression, dialect: Dialect, field?: Field): Expression {
  return dialect.isNull?.(column, field) ?? sql`${column} is null`;
}

/** Joins without whose rows a condition is never true: rows without a match may go early. */
export function rejectedNulls(condition: Condition): ReadonlySet<number> {
  if ('and' in condition) return new Set(condition.and.flatMap((one) => [...rejectedNulls(one)]));
  if ('or' in condition) return intersection(condition.or.map(rejectedNulls));
  if ('not' in condition) return 'op' in condition.not ? ofLeaf(condition.not, true) : NONE;
  return 'op' in condition ? ofLeaf(condition, false) : NONE;
}

const NONE: ReadonlySet<number> = new Set();

function ofLeaf({ attribute: { join }, op, values }: Comparison, isNegated: boolean) {
  if (join === undefined || op === 'is_distinct') return NONE;
  const isTrueOfNull = op === 'is_null' && (values[0] === true) !== isNegated;
  return isTrueOfNull ? NONE : new Set([join]);
}

function intersection([first = NONE, ...others]: readonly ReadonlySet<number>[]) {
  return new Set([...first].filter((number) => others.every((set) => set.has(number))));
}
