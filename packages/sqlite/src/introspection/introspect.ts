import type { DatabaseSync } from 'node:sqlite';

import { type Column, Introspection, type Relation } from '@proj/engine/database';

import { withCollations } from './collations.ts';
import { uniqueIndexes, withForeignKeys } from './keys.ts';
import { select } from './select.ts';
import { type ShownColumn, shownColumns, withViewKeys } from './view-keys.ts';
import { VersionedRelations } from './view-version.ts';
import { extremesOf, wireTypeOf } from '../values/wire-types.ts';

const ROWID_NAMES = ['rowid', '_rowid_', 'oid'];

/** `pragma_table_xinfo`. `hidden`: 0 a column, 1 hidden in a virtual table, 2 and 3 generated. */
interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
  readonly hidden: number;
}

interface TableRow {
  readonly name: string;
  readonly type: 'table' | 'view' | 'virtual';
  /** 1 for a WITHOUT ROWID table. */
  readonly wr: number;
  readonly strict: number;
}

export function introspect(database: DatabaseSync): Relation[] {
  const tables = select<TableRow>(
    database,
    `select name, type, wr, strict
    from pragma_table_list
    where schema = 'main'
      and type in ('table', 'view', 'virtual')
      and name not like 'sqlite\\_%' escape '\\'
    order by name`,
  );
  const versioned = new VersionedRelations(database);
  const relations = tables.map((table) => ({
    ...relationOf(database, table),
    ...versionFacts(table, versioned),
    varies: versioned.varies(table.name),
  }));
  return withForeignKeys(database, withCollations(database, withViewKeys(database, relations)));
}

function relationOf(database: DatabaseSync, table: TableRow): Relation {
  const relation = {
    path: [table.name],
    name: table.name,
    kind: table.type === 'view' ? 'view' : 'table',
    description: null,
    typesAreHints: true,
    snapshots: true,
  } as const;
  return { ...relation, ...shapeOf(database, table) };
}

function versionFacts(
  { name, type }: TableRow,
  relations: VersionedRelations,
): Pick<Relation, 'versioned' | 'unversioned'> {
  const unversioned = relations.refusalOf(name);
  const isToSay = type === 'view' && unversioned !== undefined;
  return { versioned: unversioned === undefined, ...(isToSay && { unversioned }) };
}

type Shape = Pick<Relation, 'columns' | 'keys' | 'uniqueKeys' | 'nearKey' | 'unusable'>;

function shapeOf(database: DatabaseSync, table: TableRow): Shape {
  if (table.type === 'virtual') return unusable('It is a virtual table; those are not served.');
  try {
    const columns = select<ColumnRow>(
      database,
      'select name, type, "notnull", pk, hidden from pragma_table_xinfo(?)',
      table.name,
    );
    return table.type === 'view'
      ? viewShape(columns, shownColumns(database, table.name))
      : tableShape(database, table, columns);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return unusable(`SQLite cannot read it: ${message}.`);
  }
}

function unusable(why: string): Shape {
  return { columns: [], keys: [], unusable: why };
}

/** SQLite says BLOB of a column that shows one without a type. */
function viewShape(rows: readonly ColumnRow[], shown: readonly ShownColumn[]): Shape {
  const untyped = new Set(
    shown.flatMap(({ name, column, type }) => (column !== null && type === null ? name : [])),
  );
  const typed = rows.map((row) => (untyped.has(row.name) ? { ...row, type: '' } : row));
  return {
    columns: typed.map((row) => columnOf(row, { nullable: true, isStrict: false })),
    keys: [],
  };
}

function tableShape(database: DatabaseSync, table: TableRow, rows: readonly ColumnRow[]): Shape {
  const { indexes, primaryKeyHasIndex } = uniqueIndexes(database, table.name);
  const integerKey = primaryKeyHasIndex ? undefined : integerPrimaryKey(table, rows);
  const isStrict = table.strict === 1;
  const columns = rows.map((row) =>
    columnOf(row, { nullable: row.notnull === 0 && row !== integerKey, isStrict }),
  );
  const rowid = integerKey === undefined ? [] : [[{ column: integerKey.name }]];
  const keys = Introspection.keysOf(
    columns,
    [...rowid, ...indexes].map((index) => ({ columns: index })),
  );
  const isOrdered = keys.keys.length > 0 || table.wr === 1;
  return { ...keys, ...(isOrdered ? { columns } : rowidShape(columns)) };
}

/** A table without a key is ordered by its rowid, which becomes an attribute, as in other tools. */
function rowidShape(columns: readonly Column[]): Pick<Shape, 'columns'> & Partial<Shape> {
  const taken = new Set(columns.map((column) => column.name.toLowerCase()));
  const name = ROWID_NAMES.find((alias) => !taken.has(alias));
  if (name === undefined) return { columns };
  const rowid: Column = {
    name,
    databaseType: 'INTEGER',
    type: 'int64',
    nullable: false,
    description: "SQLite's own number of the row.",
  };
  return { columns: [rowid, ...columns], keys: [[{ column: name }]] };
}

/** It is never NULL. By a quirk, `INTEGER PRIMARY KEY DESC` has an index and is no rowid. */
function integerPrimaryKey(table: TableRow, rows: readonly ColumnRow[]): ColumnRow | undefined {
  const [row, ...others] = rows.filter((candidate) => candidate.pk > 0);
  return others.length === 0 && table.wr === 0 && row?.type.toUpperCase() === 'INTEGER'
    ? row
    : undefined;
}

function columnOf(
  row: ColumnRow,
  { nullable, isStrict }: { readonly nullable: boolean; readonly isStrict: boolean },
): Column {
  const { name, type } = row;
  return {
    name,
    databaseType: type,
    type: wireTypeOf(type),
    nullable,
    description: null,
    extremes: extremesOf(type, isStrict),
  };
}
