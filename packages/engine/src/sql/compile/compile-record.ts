import { sql } from 'kysely';

import type { Condition } from '../../planning/condition.ts';
import type { Plan } from '../../planning/plan.ts';
import { outputsBeside } from '../clauses/relation-rows.ts';
import { compile } from './compile.ts';
import { compileCondition } from '../clauses/condition.ts';
import type { Dialect, KeyDialect } from '../dialect.ts';
import {
  clausesWithin,
  type OrderedField,
  orderedFields,
  pageClauses,
  reversedTerm,
  sortedColumn,
} from '../clauses/page-clauses.ts';
import {
  keyOperands,
  seekCondition,
  type SeekShape,
  withPlaceholdersFrom,
} from '../clauses/seek.ts';
import type { Expression, Statement, Template } from '../statement.ts';

export type KeyNulls = readonly boolean[];

export type KeyedDialect = Dialect & { readonly keys: KeyDialect };

/**
 * The key of a listed record, the first where several have the values; no row where none has:
 *
 *     select "t"."name" as "k0", "t"."id" as "k1" from "cities" as "t"
 *     where "t"."id" in (?) order by "t"."name" asc, "t"."id" asc limit 1
 */
export function compileFind(plan: Plan, dialect: KeyedDialect, record: Condition): Statement {
  const page = pageClauses(plan, dialect, 0);
  const { from, where, order } = clausesWithin(plan, page, compileCondition(record, dialect));
  const beginning = outputsBeside('k', plan.order);
  const keys = orderedFields(plan).map(({ term, field }, index) => {
    const key = dialect.keys.column(sortedColumn(term, dialect), field);
    return sql`${key} as ${sql.id(`${beginning}${index}`)}`;
  });
  const found = sql`select ${sql.join(keys)} from ${from}${where} order by ${order} limit 1`;
  return compile(found, dialect, plan.relations);
}

export interface KeyComparison {
  readonly record: KeyNulls;
  readonly keys: readonly KeyNulls[];
}

/**
 * How many of some keys are at or before a record. The record is found by its key, whose values are
 * the first placeholders:
 *
 *     select case when ("t"."name", "t"."id") >= (?, ?) then 1 else 0 end + …
 *     from "cities" as "t" where "t"."name" = ? and "t"."id" = ? limit 1
 */
export function compileComparison(
  plan: Plan,
  dialect: KeyedDialect,
  { record, keys }: KeyComparison,
): Template {
  const terms = orderedFields(plan);
  const counted = keys.map((nulls, index) => {
    const shape = { nulls, reachesNulls: true };
    const shifted = withPlaceholdersFrom((index + 1) * terms.length, dialect);
    return sql`case when ${seekCondition(terms, shifted, shape)} then 1 else 0 end`;
  });
  const same = terms.map((ordered, index) => {
    const { column, value, isNull } = keyOperands(ordered, index, dialect);
    return record[index] === true ? isNull : sql`${column} = ${value}`;
  });
  const { from } = pageClauses(plan, dialect, 0);
  const where = sql.join(same, sql` and `);
  const sum = sql.join(counted, sql` + `);
  return compile(sql`select ${sum} from ${from} where ${where} limit 1`, dialect, plan.relations);
}

/** A record's key, and one before it. Default: from the beginning of the list. */
export interface CountedRange {
  readonly record: KeyNulls;
  readonly from?: KeyNulls | undefined;
}

/**
 * Counts records before one, from another key on; the record's values are the first placeholders:
 *
 *     select count(*) from "cities" as "t"
 *     where ("t"."name", "t"."id") < (?, ?) and ("t"."name", "t"."id") >= (?, ?)
 */
export function compileCountBefore(
  plan: Plan,
  dialect: KeyedDialect,
  { record, from: key }: CountedRange,
): Template {
  const terms = orderedFields(plan);
  const beginsWithNull = key?.[0] ?? true;
  const before = beforeCondition(terms, dialect, { nulls: record, reachesNulls: beginsWithNull });
  const shape = { nulls: key ?? [], reachesNulls: record[0] === true };
  const onwards = key && seekCondition(terms, withPlaceholdersFrom(terms.length, dialect), shape);
  const condition = onwards === undefined ? before : sql`${before} and ${onwards}`;
  const { from, where } = clausesWithin(plan, pageClauses(plan, dialect, 0), condition);
  return compile(sql`select count(*) from ${from}${where}`, dialect, plan.relations);
}

function beforeCondition(
  terms: readonly OrderedField[],
  dialect: Dialect,
  shape: SeekShape,
): Expression {
  const reversed = terms.map(({ term, field }) => ({ term: reversedTerm(term), field }));
  return seekCondition(reversed, dialect, { ...shape, isStrict: true });
}
