import type { DatabaseSync } from 'node:sqlite';

import { type Column, Introspection, type Relation } from '@proj/engine/database';

import { quoted, select } from './select.ts';
import { lowered, sourceOf } from './view-sql.ts';

/** A column of a view, and the table's column that it shows unchanged, if any. */
export interface ShownColumn {
  readonly name: string;
  readonly table: string | null;
  readonly column: string | null;
  readonly type: string | null;
  readonly collation?: Column['collation'];
}

export function shownColumns(database: DatabaseSync, view: string): ShownColumn[] {
  return database.prepare(`select * from ${quoted(view)}`).columns();
}

/** Gives a view of one table those keys of the table that it shows whole. */
export function withViewKeys(database: DatabaseSync, relations: readonly Relation[]): Relation[] {
  const rows = select<{ readonly name: string; readonly sql: string }>(
    database,
    `select name, sql from sqlite_schema where type = 'view'`,
  );
  const views = new Map(rows.map(({ name, sql }) => [lowered(name), sql]));
  const byName = new Map(relations.map((relation) => [lowered(relation.name), relation]));
  return Introspection.withViewKeys(relations, ({ name, unusable }) => {
    const relation = unusable === undefined ? byName.get(tableBelow(name, views) ?? '') : undefined;
    return relation && { relation, nameOf: columnsShown(database, name, relation) };
  });
}

/** The table, in lower case, whose rows a view shows, through views of one relation. */
function tableBelow(view: string, views: ReadonlyMap<string, string>): string | undefined {
  const name = lowered(view);
  const sql = views.get(name);
  if (sql === undefined) return name;
  const source = sourceOf(sql);
  return source === undefined ? undefined : tableBelow(source, views);
}

function columnsShown(
  database: DatabaseSync,
  view: string,
  table: Relation,
): Introspection.Shown['nameOf'] {
  const origins = shownColumns(database, view).filter(
    (shown) => lowered(shown.table ?? '') === lowered(table.name),
  );
  const nameOf = new Map(origins.map(({ name, column }) => [column, name]));
  // SQLite also calls its own row number so.
  const named = `select 1 from pragma_table_xinfo(?) where lower(name) = 'rowid'`;
  if (select(database, named, table.name).length > 0) nameOf.delete('rowid');
  return nameOf;
}
