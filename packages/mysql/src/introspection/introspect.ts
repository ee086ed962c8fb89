import { type Column, Introspection, type Relation } from '@proj/engine/database';

import {
  type CatalogueRows,
  type ColumnRow,
  type ForeignKeyRow,
  type IndexPartRow,
  readCatalogue,
  readEngines,
  type TableRow,
} from './catalogue-rows.ts';
import type { Connection } from '../connection/connection.ts';
import { encodingOf, extremesOf, wireTypeOf } from '../values/wire-types.ts';
import { keyOf, type Named, VaryingRelations } from './varying-relations.ts';
import { withViewKeys } from './view-keys.ts';

/** Indexes distinguish whole texts, but `order by` compares the first bytes only. */
const UNBOUNDED = /^(tiny|medium|long)?(text|blob)$/;

/** Computed on read, perhaps from the time or the account. */
const VIRTUAL = /\bVIRTUAL\b/i;

const NOT_SHOWN =
  'the account is not shown all that it is defined as (grant it SHOW VIEW there, and on the ' +
  'views below): if that calls rand(), uuid() or their like, records and total may disagree';

const BROKEN_VIEW =
  'The view refers to something that does not exist, that the account may not read, or that ' +
  'writes.';

export async function introspect(connection: Connection): Promise<Relation[]> {
  const rows = await readCatalogue(connection);
  const varying = varyingRelations(rows);
  const relations = rows.tables.map((table) => relationOf(table, rows, varying));
  return withStorageEngines(withViewKeys(relations, rows), { ...rows, varying }, connection);
}

function varyingRelations(rows: CatalogueRows): VaryingRelations {
  const { database, names, definitions, columns } = rows;
  const tables = names.map((one) => ({
    ...one,
    definition: null,
    computed: ((one.database === database && columns.get(one.name)) || []).flatMap(
      ({ extra, expression }) => (VIRTUAL.test(extra) ? (expression ?? []) : []),
    ),
  }));
  const views = definitions.map((one) => ({ ...one, computed: [] }));
  return new VaryingRelations([...tables, ...views], rows.steadyFunctions);
}

function relationOf(
  { table, kind, engine, comment }: TableRow,
  { database, columns, indexes, checks, foreignKeys: references }: CatalogueRows,
  varying: VaryingRelations,
): Relation {
  const rows = columns.get(table) ?? [];
  // Columns with a check constraint for JSON, as MariaDB adds for `json`.
  const json = new Set(
    checks.get(table)?.flatMap(({ clause }) => {
      const [, column] = /^json_valid\(`((?:[^`]|``)+)`\)$/i.exec(clause) ?? [];
      return column?.replaceAll('``', '`') ?? [];
    }),
  );
  const isInnodb = engine?.toLowerCase() === 'innodb';
  const described = rows.map((row) => columnOf(row, json));
  const isView = kind === 'VIEW';
  const isBroken = isView ? rows.length === 0 : engine === null;
  const varies = varying.has({ database, name: table });
  return {
    path: [table],
    name: table,
    kind: isView ? 'view' : 'table',
    columns: described,
    ...Introspection.keysOf(described, indexesOf(rows, indexes.get(table) ?? [])),
    description: isView || comment === '' ? null : comment,
    foreignKeys: foreignKeysOf(references.get(table) ?? []),
    snapshots: isInnodb,
    versioned: isInnodb && kind === 'BASE TABLE' && rows.every(({ extra }) => !VIRTUAL.test(extra)),
    ...(varies === undefined ? { unversioned: NOT_SHOWN } : { varies }),
    ...(isBroken && {
      unusable: isView ? BROKEN_VIEW : `The database cannot open it: ${comment}.`,
    }),
  };
}

function foreignKeysOf(rows: readonly ForeignKeyRow[]): NonNullable<Relation['foreignKeys']> {
  return [...Map.groupBy(rows, ({ name }) => name).values()].map((parts) => ({
    columns: parts.map(({ column }) => column),
    relation: [parts[0]?.target ?? ''],
    key: parts.map(({ key }) => key),
  }));
}

function columnOf(row: ColumnRow, json: ReadonlySet<string>): Column {
  const collated =
    row.collation !== null && !row.collation.startsWith('utf8mb4_') && row.dataType !== 'enum';
  return {
    name: row.name,
    databaseType: collated ? `${row.columnType} collate ${row.collation}` : row.columnType,
    type:
      row.dataType === 'longtext' && json.has(row.name)
        ? 'json'
        : wireTypeOf(row.dataType, row.columnType),
    nullable: row.nullable === 'YES',
    description: row.comment === '' ? null : row.comment,
    extremes: extremesOf(row.columnType),
    collation: row.collation ?? undefined,
    encoding: row.collation === null ? undefined : encodingOf(row.collation),
  };
}

function indexesOf(
  rows: readonly ColumnRow[],
  parts: readonly IndexPartRow[],
): Introspection.UniqueIndex[] {
  const unbounded = new Set(
    rows.flatMap(({ name, dataType }) => (UNBOUNDED.test(dataType) ? name : [])),
  );
  const indexes = [...Map.groupBy(parts, (part) => part.index).values()];
  return indexes
    .toSorted((a, b) => rank(a) - rank(b))
    .map((index) => {
      // An expression has no column name.
      const columns = index.flatMap(({ column }) => column ?? []);
      const isUnbounded = columns.some((column) => unbounded.has(column));
      const isPrefix = index.some(({ prefix }) => prefix !== null);
      const why = isPrefix ? 'prefix' : isUnbounded ? 'unbounded' : undefined;
      return {
        columns: columns.map((column) => ({ column })),
        why: columns.length < index.length ? 'expression' : why,
      };
    });
}

function rank(parts: readonly IndexPartRow[]): number {
  return parts[0]?.index === 'PRIMARY' ? 0 : parts.length;
}

/** Others read several tables or servers (MERGE, FEDERATED, CONNECT, Spider) or promise nothing. */
const ONE_STATE_PER_STATEMENT = new Set('innodb rocksdb tokudb myisam aria memory s3'.split(' '));

/** Notes on each relation the storage engine that keeps its rows from having one state. */
async function withStorageEngines(
  relations: readonly Relation[],
  { database, tables, varying }: CatalogueRows & { readonly varying: VaryingRelations },
  connection: Connection,
): Promise<Relation[]> {
  const engines = new Map(
    tables.map(({ table: name, engine }) => [keyOf({ database, name }), engine]),
  );
  const readBy = ({ name }: Relation) => varying.readBy({ database, name });
  const outside = relations.flatMap(readBy).filter((one) => !engines.has(keyOf(one)));
  for (const { engine, ...one } of await readEngines(connection, outside))
    engines.set(keyOf(one), engine);
  const engineOf = (one: Named): string => engines.get(keyOf(one)) ?? 'innodb';
  return relations.map((relation) => {
    const found = readBy(relation).find(
      (one) => !ONE_STATE_PER_STATEMENT.has(engineOf(one).toLowerCase()),
    );
    if (found === undefined) return relation;
    const whose =
      relation.kind === 'view'
        ? `The storage engine ${engineOf(found)} of ${found.name}, which it reads,`
        : `Its storage engine ${engineOf(found)}`;
    return { ...relation, distributed: `${whose} does not promise one state of the data.` };
  });
}
