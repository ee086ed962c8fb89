import type { Plan } from '../../planning/plan.ts';
import { compile } from './compile.ts';
import type { Dialect } from '../dialect.ts';
import { clausesWithin, orderedFields, pageClauses } from '../clauses/page-clauses.ts';
import { seekCondition, type SeekShape } from '../clauses/seek.ts';
import type { Statement } from '../statement.ts';

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
  const condition = seekCondition(orderedFields(plan), dialect, shape);
  const page = clausesWithin(plan, pageClauses(plan, dialect, maxBytes), condition);
  return compile(dialect.rows(plan.attributes, page), dialect, plan.relations);
}
