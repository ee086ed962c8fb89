import type { DatabaseSync } from 'node:sqlite';

import type { Column, KeyCandidate, Relation } from '../../catalogue/relation.ts';
import { EXTREMES, wireTypeOf } from './wire-types.ts';

/** Collations that every SQLite connection has; an index under another cannot be used here. */
const BUILT_IN_COLLATIONS = new Set(['BINARY', 'NOCASE', 'RTRIM']);

const ROWID_NAMES = ['rowid', '_rowid_', 'oid'];

/**
 * A row of `pragma_table_xinfo`. `hidden`: 0 a column, 1 hidden in a virtual table, 2 and 3
 * generated.
 */
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
}

interface IndexColumnRow {
  readonly index_name: string;
  readonly origin: string;
  readonly cid: number;
  readonly name: string | null;
  readonly coll: string;
}

/** The tables and views of a database file, by name. */
export function introspect(database: DatabaseSync): Relation[] {
  const tables = select<TableRow>(
    database,
    `select name, type, wr
    from pragma_table_list
    where schema = 'main'
      and type in ('table', 'view', 'virtual')
      and name not like 'sqlite\\_%' escape '\\'
    order by name`,
  );
  return tables.map((table) => relationOf(database, table));
}

function relationOf(database: DatabaseSync, table: TableRow): Relation {
  const relation = {
    path: [table.name],
    name: table.name,
    kind: table.type === 'view' ? 'view' : 'table',
    description: null,
    typesAreHints: true,
    snapshots: true,
    // A view may ask for the time.
    versioned: table.type === 'table',
  } as const;
  if (table.type === 'virtual')
    return {
      ...relation,
      columns: [],
      keys: [],
      unusable: 'It is a virtual table; those are not served.',
    };
  try {
    const columns = select<ColumnRow>(
      database,
      'select name, type, "notnull", pk, hidden from pragma_table_xinfo(?)',
      table.name,
    );
    return {
      ...relation,
      ...(table.type === 'view' ? viewShape(columns) : tableShape(database, table, columns)),
    };
  } catch (error) {
    return {
      ...relation,
      columns: [],
      keys: [],
      unusable: `SQLite cannot read it: ${error instanceof Error ? error.message : String(error)}.`,
    };
  }
}

type Shape = Pick<Relation, 'columns' | 'keys'>;

function viewShape(rows: readonly ColumnRow[]): Shape {
  return { columns: rows.map((row) => columnOf(row, true)), keys: [] };
}

function tableShape(database: DatabaseSync, table: TableRow, rows: readonly ColumnRow[]): Shape {
  const { indexes, primaryKeyHasIndex } = uniqueIndexes(database, table.name);
  const integerKey = primaryKeyHasIndex ? undefined : integerPrimaryKey(table, rows);
  const columns = rows.map((row) => columnOf(row, row.notnull === 0 && row !== integerKey));
  const notNull = new Set(
    columns.filter((column) => !column.nullable).map((column) => column.name),
  );
  const keys = indexes.filter((index) => index.every(({ column }) => notNull.has(column)));
  if (integerKey !== undefined) return { columns, keys: [[{ column: integerKey.name }], ...keys] };
  return keys.length > 0 || table.wr === 1 ? { columns, keys } : rowidShape(columns);
}

/**
 * A table without a usable key is ordered by its rowid, which becomes an attribute, as it is in
 * other tools for SQLite.
 */
function rowidShape(columns: readonly Column[]): Shape {
  const taken = new Set(columns.map((column) => column.name.toLowerCase()));
  const name = ROWID_NAMES.find((alias) => !taken.has(alias));
  if (name === undefined) return { columns, keys: [] };
  const rowid: Column = {
    name,
    databaseType: 'INTEGER',
    type: 'int64',
    nullable: false,
    description: "SQLite's own number of the row.",
  };
  return { columns: [rowid, ...columns], keys: [[{ column: name }]] };
}

/**
 * The column that is an alias of the rowid: it is never NULL, though SQLite does not say so. A
 * primary key with an index of its own is none: `INTEGER PRIMARY KEY DESC` makes one, by a quirk
 * that SQLite keeps.
 */
function integerPrimaryKey(table: TableRow, rows: readonly ColumnRow[]): ColumnRow | undefined {
  const [row, ...others] = rows.filter((candidate) => candidate.pk > 0);
  return others.length === 0 && table.wr === 0 && row?.type.toUpperCase() === 'INTEGER'
    ? row
    : undefined;
}

interface UniqueIndexes {
  /** The columns of each complete one, the primary key's first, then the narrowest. */
  readonly indexes: KeyCandidate[];
  readonly primaryKeyHasIndex: boolean;
}

function uniqueIndexes(database: DatabaseSync, table: string): UniqueIndexes {
  const rows = select<IndexColumnRow>(
    database,
    `select i.name as index_name, i.origin, x.cid, x.name, x.coll
    from pragma_index_list(?) i, pragma_index_xinfo(i.name) x
    where i."unique" and not i.partial and x.key
    order by i.seq, x.seqno`,
    table,
  );
  const indexes = [...Map.groupBy(rows, (row) => row.index_name).values()]
    .filter((parts) =>
      parts.every(({ cid, coll }) => cid >= 0 && BUILT_IN_COLLATIONS.has(coll.toUpperCase())),
    )
    .toSorted((a, b) => rank(a) - rank(b))
    .map((parts) =>
      parts.map(({ name, coll }) => ({ column: name ?? '', collation: coll.toUpperCase() })),
    );
  return { indexes, primaryKeyHasIndex: rows.some((row) => row.origin === 'pk') };
}

function rank(parts: readonly IndexColumnRow[]): number {
  return parts[0]?.origin === 'pk' ? 0 : parts.length;
}

function columnOf(row: ColumnRow, nullable: boolean): Column {
  const { name, type } = row;
  return {
    name,
    databaseType: type,
    type: wireTypeOf(type),
    nullable,
    description: null,
    extremes: EXTREMES,
  };
}

function select<Row>(database: DatabaseSync, sql: string, ...parameters: string[]): Row[] {
  return database.prepare(sql).all(...parameters) as unknown as Row[];
}
