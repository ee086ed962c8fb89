import type { Connection } from './connection.ts';

export interface TableRow {
  readonly table: string;
  readonly kind: string;
  readonly engine: string | null;
  readonly comment: string;
}

export interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly dataType: string;
  readonly columnType: string;
  readonly nullable: string;
  readonly comment: string;
  readonly collation: string | null;
  readonly extra: string;
}

export interface IndexPartRow {
  readonly table: string;
  readonly index: string;
  readonly column: string | null;
  readonly prefix: string | number | null;
}

/** One column of a foreign key, in its order. */
export interface ForeignKeyRow {
  readonly table: string;
  readonly name: string;
  readonly column: string;
  readonly target: string;
  readonly key: string;
}

export interface CheckRow {
  readonly table: string;
  readonly clause: string;
}

/** The rows of `information_schema` about one database; all but the tables by table. */
export interface CatalogueRows {
  readonly tables: readonly TableRow[];
  readonly columns: ReadonlyMap<string, readonly ColumnRow[]>;
  readonly indexes: ReadonlyMap<string, readonly IndexPartRow[]>;
  readonly checks: ReadonlyMap<string, readonly CheckRow[]>;
  readonly foreignKeys: ReadonlyMap<string, readonly ForeignKeyRow[]>;
}

/** Asks the server about the database that the connection's URL names. */
export async function readCatalogue(connection: Connection): Promise<CatalogueRows> {
  return {
    tables: await readTables(connection),
    columns: byTable(await readColumns(connection)),
    indexes: byTable(await readUniqueIndexes(connection)),
    checks: byTable(await readChecks(connection)),
    foreignKeys: byTable(await readForeignKeys(connection)),
  };
}

function readTables(connection: Connection): Promise<TableRow[]> {
  return select(
    connection,
    ['table', 'kind', 'engine', 'comment'],
    `table_name, table_type, engine, table_comment
    from information_schema.tables
    where table_schema = database()
      and table_type in ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
    order by table_name`,
  );
}

function readColumns(connection: Connection): Promise<ColumnRow[]> {
  return select(
    connection,
    ['table', 'name', 'dataType', 'columnType', 'nullable', 'comment', 'collation', 'extra'],
    `table_name, column_name, data_type, column_type, is_nullable, column_comment, collation_name,
      extra
    from information_schema.columns
    where table_schema = database()
    order by table_name, ordinal_position`,
  );
}

function readUniqueIndexes(connection: Connection): Promise<IndexPartRow[]> {
  return select(
    connection,
    ['table', 'index', 'column', 'prefix'],
    `table_name, index_name, column_name, sub_part
    from information_schema.statistics
    where table_schema = database()
      and non_unique = 0
      and ${connection.server.indexInUse}
    order by table_name, index_name, seq_in_index`,
  );
}

/** A table of another database is no relation here. */
function readForeignKeys(connection: Connection): Promise<ForeignKeyRow[]> {
  return select(
    connection,
    ['table', 'name', 'column', 'target', 'key'],
    `table_name, constraint_name, column_name, referenced_table_name, referenced_column_name
    from information_schema.key_column_usage
    where table_schema = database()
      and referenced_table_schema = database()
    order by table_name, constraint_name, ordinal_position`,
  );
}

/** Only where `json` is text with a check constraint. */
async function readChecks(connection: Connection): Promise<CheckRow[]> {
  if (!connection.server.jsonIsCheckedText) return [];
  return select(
    connection,
    ['table', 'clause'],
    `table_name, check_clause
    from information_schema.check_constraints
    where constraint_schema = database()`,
  );
}

function byTable<Row extends { readonly table: string }>(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => row.table);
}

/** Servers disagree on the letter case of these views' columns, so the names are given here. */
async function select<Row>(
  connection: Connection,
  names: readonly (keyof Row)[],
  rest: string,
): Promise<Row[]> {
  const rows = await connection.command(`select ${rest}`);
  return rows.map(
    (row) => Object.fromEntries(names.map((name, index) => [name, row[index]])) as Row,
  );
}
