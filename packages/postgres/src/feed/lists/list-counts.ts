import { compile } from '@proj/engine/database';
import { listedAs } from '@proj/engine/following';
import { sql } from 'kysely';

import { type CountedRows, groupedCounts } from './grouped-counts.ts';
import { groupOf } from './list-group.ts';
import { countWhere, inStatements, type RowFilter } from './row-filter.ts';

/**
 * Counts the lists of filters: all that have a column in common with the first one, or the first
 * few.
 *
 * @param most so many at most that have nothing in common
 */
export async function countLists(
  rows: CountedRows,
  filters: readonly RowFilter[],
  most: number,
): Promise<ReadonlyMap<RowFilter, bigint>> {
  const [asked = []] = inStatements(filters, (filter) => filter);
  const group = groupOf(asked);
  return group === undefined ? eachCount(rows, asked.slice(0, most)) : groupedCounts(rows, group);
}

/**
 * Holds each row against each filter. For the orders of two customers:
 *
 *     select count(*) filter (where ("t"."customer" in (1))), count(*) filter (where …)
 *     from "shop"."orders" as "t" where ("t"."customer" in (1)) or (…)
 *
 * Without the last line no index of the database would be of use.
 */
async function eachCount(
  { relation: { path }, dialect, ask }: CountedRows,
  filters: readonly RowFilter[],
): Promise<ReadonlyMap<RowFilter, bigint>> {
  if (filters.length === 0) return new Map();
  const counts = sql.join(filters.map(countWhere));
  const met = filters.map((filter) => sql`(${filter.sql})`);
  const rows = listedAs(sql.id(...path));
  const statement = sql`select ${counts} from ${rows} where ${sql.join(met, sql` or `)}`;
  const row = await ask(compile(statement, dialect, [path]));
  return new Map(filters.map((filter, place) => [filter, BigInt(row[place] ?? 0)]));
}
