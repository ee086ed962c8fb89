import type { DatabaseSync } from 'node:sqlite';

import type { Column, Relation } from '@proj/engine/database';

import { quoted, select } from './select.ts';
import type { ShownColumn } from './view-keys.ts';

/** SQLite names no column's collation, least of all a view's, but compares by it. */
export function withCollations(database: DatabaseSync, relations: readonly Relation[]): Relation[] {
  const found = select(database, `select 1 from sqlite_schema where sql like '%collate%' limit 1`);
  if (found.length === 0) return [...relations];
  return relations.map((relation) => ({
    ...relation,
    columns: relation.columns.map((column): Column => {
      const collation = collationOf(database, quoted(relation.name), column.name);
      return collation === undefined ? column : { ...column, collation };
    }),
  }));
}

/** With the collations that they have in the rows of `sql`. */
export function collated(
  database: DatabaseSync,
  sql: string,
  columns: readonly ShownColumn[],
): ShownColumn[] {
  return columns.map((column) => {
    return { ...column, collation: collationOf(database, `(${sql})`, column.name) };
  });
}

/** A union takes the collation of its first part, which finds no row and runs no view. */
function collationOf(database: DatabaseSync, rows: string, name: string): Column['collation'] {
  const statement = `
    select case when x = 'a' then 'NOCASE' when x = 'A ' then 'RTRIM' end as collation
    from (
      select ${quoted(name)} as x from (select 1 where false) left join ${rows} on true
      union all select 'A'
    )`;
  try {
    const [row] = select<{ readonly collation: 'NOCASE' | 'RTRIM' | null }>(database, statement);
    return row?.collation ?? undefined;
  } catch {
    // A collation of another program, unknown here.
    return undefined;
  }
}
