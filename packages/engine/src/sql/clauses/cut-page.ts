import { sql } from 'kysely';

import type { ListPart, ListParts, PageClauses } from '../dialect.ts';
import { type Expression, LIMIT, OFFSET } from '../statement.ts';

type Clauses = ListPart & Pick<PageClauses, 'late' | 'parts'>;

/** Late joins look up the rows of a page alone, and may shuffle them: they are ordered again. */
export function cutPage(
  columns: readonly Expression[],
  { late, parts, ...list }: Clauses,
): Expression {
  const shown = sql.join(late?.columns ?? columns);
  const cut = parts === undefined ? limited(shown, list) : cutParts(shown, parts);
  if (late === undefined) return cut;
  return sql`select ${sql.join(columns)} from ${late.from(sql`(${cut})`)} order by ${list.order}`;
}

/**
 * The second part fills what the first one lacks; it is read only where rows are missing, and the
 * first is counted only where none of its rows is on the page:
 *
 *     with "found" as materialized (select … order by … limit ? offset ?)
 *     select * from "found" union all select * from (
 *       select … order by … limit ? - (select count(*) from "found")
 *         offset case when ? = 0 or exists (select 1 from "found") then 0
 *           else ? - (select count(*) …) end
 *     ) as "s"
 */
function cutParts(shown: Expression, { parts, found }: ListParts): Expression {
  const [first, second] = parts;
  if (first === undefined) throw new Error('A list has one part at least.');
  const begun = limited(shown, first);
  if (second === undefined) return begun;
  const passed = sql`(select count(*) from ${first.from}${first.where})`;
  const isBegun = sql`${OFFSET} = 0 or exists (select 1 from ${found})`;
  const range = {
    limit: sql`${LIMIT} - (select count(*) from ${found})`,
    offset: sql`case when ${isBegun} then 0 else ${OFFSET} - ${passed} end`,
  };
  const rest = sql`(${limited(shown, second, range)}) as ${sql.id('s')}`;
  return sql`with ${found} as materialized (${begun})
    select * from ${found} union all select * from ${rest}`;
}

const PAGE = { limit: sql`${LIMIT}`, offset: sql`${OFFSET}` };

function limited(
  shown: Expression,
  { from, where, order }: ListPart,
  { limit, offset } = PAGE,
): Expression {
  const rows = sql`select ${shown} from ${from}${where} order by ${order}`;
  return sql`${rows} limit ${limit} offset ${offset}`;
}
