import type { Connection } from '../connection/connection.ts';
import { type Named, SYSTEM_DATABASES } from './varying-relations.ts';

const SYSTEM = SYSTEM_DATABASES.map((name) => `'${name}'`).join(', ');

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
  /** What a generated column is computed by. */
  readonly expression: string | null;
}

/** A view, and its definition, which is empty where the account is not shown it. */
export interface DefinitionRow extends Named {
  readonly definition: string;
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
  /** The name of the database. */
  readonly database: string;
  /** Of all databases, as what follows: tables and views. */
  readonly names: readonly Named[];
  readonly definitions: readonly DefinitionRow[];
  /** The functions that are declared to depend on their arguments alone. */
  readonly steadyFunctions: readonly Named[];
}

/** Asks the server about the database that the connection's URL names. */
export async function readCatalogue(connection: Connection): Promise<CatalogueRows> {
  const tables = await readTables(connection);
  const [[database] = []] = await connection.command('select database()');
  return {
    tables,
    database: String(database),
    names: await readNames(connection),
    definitions: await readDefinitions(connection),
    steadyFunctions: await readSteadyFunctions(connection),
    columns: byTable(await readColumns(connection)),
    indexes: byTable(await readUniqueIndexes(connection)),
    // Only where `json` is text with a check constraint.
    checks: byTable(connection.server.jsonIsCheckedText ? await readChecks(connection) : []),
    foreignKeys: byTable(await readForeignKeys(connection)),
  };
}

const readTables = rowsOf<TableRow>(
  { table: 'table_name', kind: 'table_type', engine: 'engine', comment: 'table_comment' },
  `from information_schema.tables
  where table_schema = database()
    and table_type in ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
  order by table_name`,
);

const readColumns = rowsOf<ColumnRow>(
  {
    table: 'table_name',
    name: 'column_name',
    dataType: 'data_type',
    columnType: 'column_type',
    nullable: 'is_nullable',
    comment: 'column_comment',
    collation: 'collation_name',
    extra: 'extra',
    expression: 'generation_expression',
  },
  `from information_schema.columns
  where table_schema = database()
  order by table_name, ordinal_position`,
);

function readUniqueIndexes(connection: Connection): Promise<IndexPartRow[]> {
  const read = rowsOf<IndexPartRow>(
    { table: 'table_name', index: 'index_name', column: 'column_name', prefix: 'sub_part' },
    `from information_schema.statistics
    where table_schema = database()
      and non_unique = 0
      and ${connection.server.indexInUse}
    order by table_name, index_name, seq_in_index`,
  );
  return read(connection);
}

/** A table of another database is no relation here. */
const readForeignKeys = rowsOf<ForeignKeyRow>(
  {
    table: 'table_name',
    name: 'constraint_name',
    column: 'column_name',
    target: 'referenced_table_name',
    key: 'referenced_column_name',
  },
  `from information_schema.key_column_usage
  where table_schema = database()
    and referenced_table_schema = database()
  order by table_name, constraint_name, ordinal_position`,
);

const readChecks = rowsOf<CheckRow>(
  { table: 'table_name', clause: 'check_clause' },
  `from information_schema.check_constraints
  where constraint_schema = database()`,
);

/** Without columns of `information_schema` for which the server would open each table. */
const readNames = rowsOf<Named>(
  { database: 'table_schema', name: 'table_name' },
  `from information_schema.tables
  where table_schema not in (${SYSTEM})`,
);

/** The storage engines of some tables and views, for which the server opens each of them. */
export async function readEngines(
  connection: Connection,
  tables: readonly Named[],
): Promise<(Named & Pick<TableRow, 'engine'>)[]> {
  if (tables.length === 0) return [];
  const names = tables.map(({ database, name }) => `(${textOf(database)}, ${textOf(name)})`);
  const read = rowsOf<Named & Pick<TableRow, 'engine'>>(
    { database: 'table_schema', name: 'table_name', engine: 'engine' },
    `from information_schema.tables
    where (table_schema, table_name) in (${[...new Set(names)].join(', ')})`,
  );
  return read(connection);
}

/** A name as a text in SQL, whatever the mode of the session makes of a backslash. */
function textOf(name: string): string {
  return `convert(x'${Buffer.from(name).toString('hex')}' using utf8mb4)`;
}

const readDefinitions = rowsOf<DefinitionRow>(
  { database: 'table_schema', name: 'table_name', definition: 'view_definition' },
  `from information_schema.views
  where table_schema not in (${SYSTEM})`,
);

const readSteadyFunctions = rowsOf<Named>(
  { database: 'routine_schema', name: 'routine_name' },
  `from information_schema.routines
  where routine_type = 'FUNCTION' and is_deterministic = 'YES'
    and routine_schema not in (${SYSTEM})`,
);

function byTable<Row extends { readonly table: string }>(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => row.table);
}

/** Servers disagree on the letter case of these views' columns, so the names are given here. */
function rowsOf<Row>(
  columns: Readonly<Record<keyof Row, string>>,
  from: string,
): (connection: Connection) => Promise<Row[]> {
  const names = Object.keys(columns);
  const sql = `select ${Object.values(columns).join(', ')} ${from}`;
  return async (connection) => {
    const rows = await connection.command(sql);
    return rows.map(
      (row) => Object.fromEntries(names.map((name, index) => [name, row[index]])) as Row,
    );
  };
}
