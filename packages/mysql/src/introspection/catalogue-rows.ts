import type { Connection } from '../connection/connection.ts';
import { type Named, SYSTEM_DATABASES } from './varying-relations.ts';

const NAMED = { database: 'table_schema', name: 'table_name' };

const SYSTEM = SYSTEM_DATABASES.map((name) => `'${name}'`).join(', ');

/** `information_schema` of one database; all but the tables are grouped by table. */
export type CatalogueRows = Awaited<ReturnType<typeof readCatalogue>>;
export type TableRow = RowOf<typeof readTables>;
export type ColumnRow = RowOf<typeof readColumns>;
export type IndexPartRow = RowOf<ReturnType<typeof uniqueIndexes>>;
export type ForeignKeyRow = RowOf<typeof readForeignKeys>;

type RowOf<Read extends (connection: Connection) => Promise<readonly unknown[]>> = Awaited<
  ReturnType<Read>
>[number];

export async function readCatalogue(connection: Connection) {
  const tables = await readTables(connection);
  const [[database] = []] = await connection.command('select database()');
  return {
    tables,
    database: String(database),
    names: await readNames(connection),
    definitions: await readDefinitions(connection),
    steadyFunctions: await readSteadyFunctions(connection),
    columns: byTable(await readColumns(connection)),
    indexes: byTable(await uniqueIndexes(connection.server)(connection)),
    // Only where `json` is text with a check constraint.
    checks: byTable(connection.server.jsonIsCheckedText ? await readChecks(connection) : []),
    foreignKeys: byTable(await readForeignKeys(connection)),
  };
}

const readTables = rowsOf(
  { table: 'table_name', kind: 'table_type', comment: 'table_comment' },
  { engine: 'engine' },
  `from information_schema.tables
  where table_schema = database()
    and table_type in ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
  order by table_name`,
);

const readColumns = rowsOf(
  {
    table: 'table_name',
    name: 'column_name',
    dataType: 'data_type',
    columnType: 'column_type',
    nullable: 'is_nullable',
    comment: 'column_comment',
    extra: 'extra',
  },
  // The last is the expression of a generated column.
  { collation: 'collation_name', expression: 'generation_expression' },
  `from information_schema.columns
  where table_schema = database()
  order by table_name, ordinal_position`,
);

function uniqueIndexes({ indexInUse }: Connection['server']) {
  return rowsOf(
    { table: 'table_name', index: 'index_name' },
    { column: 'column_name', prefix: 'sub_part' },
    `from information_schema.statistics
    where table_schema = database()
      and non_unique = 0
      and ${indexInUse}
    order by table_name, index_name, seq_in_index`,
  );
}

/** A table of another database is no relation here. */
const readForeignKeys = rowsOf(
  {
    table: 'table_name',
    name: 'constraint_name',
    column: 'column_name',
    target: 'referenced_table_name',
    key: 'referenced_column_name',
  },
  {},
  `from information_schema.key_column_usage
  where table_schema = database()
    and referenced_table_schema = database()
  order by table_name, constraint_name, ordinal_position`,
);

const readChecks = rowsOf(
  { table: 'table_name', clause: 'check_clause' },
  {},
  `from information_schema.check_constraints
  where constraint_schema = database()`,
);

/** Without the columns for which the server would open each table. */
const readNames = rowsOf(
  NAMED,
  {},
  `from information_schema.tables
  where table_schema not in (${SYSTEM})`,
);

/** The server opens each of these tables and views for this. */
export async function readEngines(
  connection: Connection,
  tables: readonly Named[],
): Promise<(Named & Pick<TableRow, 'engine'>)[]> {
  if (tables.length === 0) return [];
  const names = tables.map(({ database, name }) => `(${textOf(database)}, ${textOf(name)})`);
  const read = rowsOf(
    NAMED,
    { engine: 'engine' },
    `from information_schema.tables
    where (table_schema, table_name) in (${[...new Set(names)].join(', ')})`,
  );
  return read(connection);
}

/** A text literal, whatever the session's mode makes of a backslash. */
function textOf(name: string): string {
  return `convert(x'${Buffer.from(name).toString('hex')}' using utf8mb4)`;
}

const readDefinitions = rowsOf(
  { ...NAMED, definition: 'view_definition' },
  {},
  `from information_schema.views
  where table_schema not in (${SYSTEM})`,
);

const readSteadyFunctions = rowsOf(
  { database: 'routine_schema', name: 'routine_name' },
  {},
  `from information_schema.routines
  where routine_type = 'FUNCTION' and is_deterministic = 'YES'
    and routine_schema not in (${SYSTEM})`,
);

function byTable<Row extends { readonly table: string }>(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => row.table);
}

/** Servers disagree on the letter case of these columns. `nullable`: those that may be NULL. */
function rowsOf<Name extends string, Nullable extends string = never>(
  columns: Readonly<Record<Name, string>>,
  nullable: Readonly<Record<Nullable, string>>,
  from: string,
): (connection: Connection) => Promise<CatalogueRow<Name, Nullable>[]> {
  const all: Record<string, string> = { ...columns, ...nullable };
  const names = Object.keys(all);
  const sql = `select ${Object.values(all).join(', ')} ${from}`;
  return async (connection) => {
    const rows = await connection.command(sql);
    const named = rows.map((row) => names.map((name, index) => [name, row[index]]));
    return named.map((row) => Object.fromEntries(row) as CatalogueRow<Name, Nullable>);
  };
}

type CatalogueRow<Name extends string, Nullable extends string> = Readonly<
  Record<Name, string> & Record<Nullable, string | null>
>;
