import { type RawBuilder, sql } from 'kysely';

import type { PageClauses } from '../dialect.ts';
import { LIMIT, OFFSET } from '../statement.ts';
import { listedAs } from './column-of.ts';

type Clauses = Pick<PageClauses, 'from' | 'where' | 'order' | 'late'>;

/**
 * The rows of a page. What they are joined with late is looked up for them alone, and they are
 * ordered again behind the joins, which may bring them in any order:
 *
 *     select "j0"."name" from (
 *       select "t"."id", "t"."country_id" from "cities" as "t" order by "t"."id" limit ? offset ?
 *     ) as "t"
 *     left join "countries" as "j0" on "j0"."id" = "t"."country_id"
 *     order by "t"."id"
 */
export function cutPage(
  columns: readonly RawBuilder<unknown>[],
  { from, where, order, late }: Clauses,
): RawBuilder<unknown> {
  const shown = sql.join(late?.columns ?? columns);
  const rows = sql`select ${shown} from ${from}${where} order by ${order}`;
  const cut = sql`${rows} limit ${LIMIT} offset ${OFFSET}`;
  if (late === undefined) return cut;
  const joined = sql`${listedAs(sql`(${cut})`)}${late.joins}`;
  return sql`select ${sql.join(columns)} from ${joined} order by ${order}`;
}
