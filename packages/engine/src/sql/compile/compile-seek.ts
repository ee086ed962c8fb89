import type { Plan } from '../../planning/plan.ts';
import { compileRows } from './compile.ts';
import type { Dialect } from '../dialect.ts';
import { pageFromKey, type Seek } from '../clauses/list-parts.ts';
import type { Statement } from '../statement.ts';

/**
 * The rows from a bound key on; the offset counts from there:
 *
 *     … from "cities" as "t"
 *     where ("t"."name", "t"."id") >= (?, ?)
 *     order by "t"."name" asc, "t"."id" asc limit ? offset ?
 */
export function compileSeek(plan: Plan, dialect: Dialect, seek: Seek): Statement {
  const page = pageFromKey(plan, dialect, seek);
  return compileRows(plan, dialect, page);
}
