import {
  type Asked,
  type Clauses,
  type Expression,
  Facets,
  type Found,
  Reads,
  sqlBlock,
} from '@proj/engine/database';
import { sql } from 'kysely';

import type { Connection, Row } from '../connection/connection.ts';
import { encodeRows } from '../values/encode.ts';
import { mysqlGroups } from './groups.ts';

/**
 * The rows of several lists, each after its list's number, with a column for each type:
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

/** A reply's column descriptions and counts take less than this. */
const FRAME_BYTES = 4 * 2 ** 20;

export async function readFacets(
  connection: Connection,
  statements: Asked<'facets'>,
): Promise<Found<'facets'>> {
  const { maxBytes } = statements;
  const read = await Facets.readFacets(statements, {
    texts: async (statement, fields) =>
      textsOf(await connection.execute(statement, maxBytes + FRAME_BYTES), fields, maxBytes),
    ...mysqlGroups,
  });
  return Reads.unversioned(read);
}

/** The JSON text of each list; none where they are too long together. */
function textsOf(
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

/** Which columns the fields of each list take: fields of one type share theirs. */
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
