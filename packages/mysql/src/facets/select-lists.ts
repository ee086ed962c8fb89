import { type Clauses, type Facets, sqlBlock } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

import type { Row } from '../connection/connection.ts';
import { encodeRows } from '../values/encode.ts';

type Expression = RawBuilder<unknown>;

/**
 * The rows of several lists, each behind the number of its list. Values of different types are in
 * different columns:
 *
 *     (select 0 as c0, t.v0 as c1, t.a0 as c2 from g0 as t order by t.a0 desc limit 20)
 *     union all (select 1 as c0, null as c1, count(t.v0) as c2 from g0 as t)
 */
export function selectLists(lists: readonly Clauses['selected'][]): Expression {
  const places = placesOf(lists.map(({ fields }) => fields));
  const width = Math.max(...places.flat()) + 1;
  const selects = lists.map(({ columns, rest, when }, list) => {
    const all = Array.from({ length: width }, () => sql`null`);
    for (const [index, column] of columns.entries())
      all[places[list]?.[index] ?? 0] =
        when === undefined ? column : sql`case when ${when} then (select ${column} ${rest}) end`;
    const shown = [sql.lit(list), ...all].map(
      (one, place) => sql`${one} as ${sql.id(`c${place}`)}`,
    );
    return sqlBlock`(select ${sql.join(shown)} ${when === undefined ? rest : sql``})`;
  });
  return sql.join(selects, sql` union all `);
}

/** The JSON text of each of the lists; of none where all of them together are too long. */
export function textsOf(
  rows: readonly Row[],
  lists: Facets.ListFields,
  maxBytes: number,
): (string | null)[] {
  const places = placesOf(lists);
  const byList = Map.groupBy(rows, ([list]) => Number(list));
  const texts = lists.map((fields, list) => {
    const own = (byList.get(list) ?? []).map((row) =>
      (places[list] ?? []).map((place) => row[1 + place] ?? null),
    );
    return encodeRows(own, { fields, maxBytes }) ?? null;
  });
  const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
  return size > maxBytes || texts.includes(null) ? texts.map(() => null) : texts;
}

/** The places of the fields among the columns of all lists: those of one type have the same. */
function placesOf(lists: Facets.ListFields): number[][] {
  const known = new Map<string, number>();
  return lists.map((fields) =>
    fields.map(({ databaseType }, index) => {
      const before = fields.slice(0, index).filter((one) => one.databaseType === databaseType);
      const key = `${databaseType} ${before.length}`;
      const place = known.get(key) ?? known.size;
      known.set(key, place);
      return place;
    }),
  );
}
