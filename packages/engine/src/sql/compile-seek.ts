import { sql } from 'kysely';

import type { Plan } from '../planning/plan.ts';
import { compile } from './compile.ts';
import type { Dialect } from './dialect.ts';
import { orderedFields, pageClauses, sortedColumn } from './page-clauses.ts';
import { seekCondition, type SeekShape } from './seek.ts';
import type { Statement } from './statement.ts';

/** Rows that are found by a key. */
export interface Seek {
  readonly shape: SeekShape;
  readonly maxBytes: number;
}

/**
 * The rows from a key on, whose values are placeholders; the offset counts from there.
 *
 *     … from "cities" as "t"
 *     where ("t"."name", "t"."id") >= (?, ?)
 *     order by "t"."name" asc, "t"."id" asc limit ? offset ?
 */
export function compileSeek(plan: Plan, dialect: Dialect, { shape, maxBytes }: Seek): Statement {
  const page = pageClauses(plan, dialect, maxBytes);
  const condition = seekCondition(orderedFields(plan), dialect, shape);
  const where =
    plan.condition === undefined ? sql` where ${condition}` : sql`${page.where} and ${condition}`;
  return compile(dialect.rows(plan.attributes, { ...page, where }), dialect);
}

/**
 * One of every `step` keys of a list, in order; undefined where the database has none.
 *
 * The dialect selects from all keys with their places:
 *
 *     select "t"."name" as "k0", "t"."id" as "k1",
 *       row_number() over (order by "t"."name" asc, "t"."id" asc) - 1 as "n"
 *     from "cities" as "t"
 */
export function compileCheckpoints(
  plan: Plan,
  dialect: Dialect,
  step: number,
): Statement | undefined {
  const { keys } = dialect;
  if (keys === undefined) return undefined;
  const { from, where, order } = pageClauses(plan, dialect, 0);
  const columns = orderedFields(plan).map(
    ({ term, field }, index) =>
      sql`${keys.column(sortedColumn(term, dialect), field)} as ${sql.id(`k${index}`)}`,
  );
  const place = sql`row_number() over (order by ${order}) - 1 as ${sql.id('n')}`;
  const numbered = sql`select ${sql.join([...columns, place])} from ${from}${where}`;
  return compile(keys.select({ numbered, width: columns.length, step }), dialect);
}
