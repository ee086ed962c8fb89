import type { DatabaseSync } from 'node:sqlite';

import type { Column, Relation } from '@proj/engine/database';

import { select } from './select.ts';

/**
 * The relations, with the collation of each column whose texts are not compared by their bytes.
 * SQLite does not say which a column has, least of all in a view, but compares by it.
 */
export function withCollations(database: DatabaseSync, relations: readonly Relation[]): Relation[] {
  const found = select(database, `select 1 from sqlite_schema where sql like '%collate%' limit 1`);
  if (found.length === 0) return [...relations];
  return relations.map((relation) => ({
    ...relation,
    columns: relation.columns.map((column): Column => {
      const collation = collationOf(database, relation, column);
      return collation === undefined ? column : { ...column, collation };
    }),
  }));
}

/** The first part of a union, which finds no row and runs no view, has the column's collation. */
function collationOf(
  database: DatabaseSync,
  { name: relation }: Relation,
  { name }: Column,
): Column['collation'] {
  const statement = `
    select case when x = 'a' then 'NOCASE' when x = 'A ' then 'RTRIM' end as collation
    from (
      select ${quoted(name)} as x from (select 1 where false) left join ${quoted(relation)} on true
      union all select 'A'
    )`;
  try {
    const [row] = select<{ readonly collation: 'NOCASE' | 'RTRIM' | null }>(database, statement);
    return row?.collation ?? undefined;
  } catch {
    // A collation of another program, by which nothing can be compared here.
    return undefined;
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
