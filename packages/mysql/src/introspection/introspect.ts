import type { Column, KeyCandidate, Relation } from '@proj/engine/database';

import {
  type CatalogueRows,
  type CheckRow,
  type ColumnRow,
  type ForeignKeyRow,
  type IndexPartRow,
  readCatalogue,
  type TableRow,
} from './catalogue-rows.ts';
import type { Connection } from '../connection/connection.ts';
import { encodingOf } from '../values/encodings.ts';
import { withStorageEngines } from './storage-engines.ts';
import { VaryingRelations } from './varying-relations.ts';
import { withViewKeys } from './view-keys.ts';
import { extremesOf, wireTypeOf } from '../values/wire-types.ts';

/**
 * A unique index over a whole text may distinguish texts that `order by` does not, since that looks
 * at the first bytes only.
 */
const UNBOUNDED = /^(tiny|medium|long)?(text|blob)$/;

/** A column whose value is computed when it is read, maybe from the time or the account. */
const VIRTUAL = /\bVIRTUAL\b/i;

const NOT_SHOWN =
  'the account is not shown all that it is defined as (grant it SHOW VIEW there, and on the ' +
  'views below): if that calls rand(), uuid() or their like, records and total may disagree';

/** The tables and views of the database that the connection's URL names. */
export async function introspect(connection: Connection): Promise<Relation[]> {
  const rows = await readCatalogue(connection);
  const varying = varyingRelations(rows);
  const relations = rows.tables.map((table) => relationOf(table, rows, varying));
  return withStorageEngines(withViewKeys(relations, rows), { rows, varying, connection });
}

function varyingRelations(rows: CatalogueRows): VaryingRelations {
  const { database, names, definitions, columns } = rows;
  const tables = names.map((one) => ({
    ...one,
    definition: null,
    computed: one.database === database ? expressionsOf(columns.get(one.name) ?? []) : [],
  }));
  const views = definitions.map((one) => ({ ...one, computed: [] }));
  return new VaryingRelations([...tables, ...views], rows.steadyFunctions);
}

function expressionsOf(columns: readonly ColumnRow[]): string[] {
  return columns.flatMap(({ extra, expression }) =>
    VIRTUAL.test(extra) ? (expression ?? []) : [],
  );
}

function relationOf(
  { table, kind, engine, comment }: TableRow,
  { database, columns, indexes, checks, foreignKeys: references }: CatalogueRows,
  varying: VaryingRelations,
): Relation {
  const rows = columns.get(table) ?? [];
  const json = jsonColumns(checks.get(table) ?? []);
  const isInnodb = engine?.toLowerCase() === 'innodb';
  const relation = {
    path: [table],
    name: table,
    kind: kind === 'VIEW' ? 'view' : 'table',
    columns: rows.map((row) => columnOf(row, json)),
    keys: kind === 'VIEW' ? [] : keysOf(rows, indexes.get(table) ?? []),
    uniqueKeys: uniqueKeysOf(rows, indexes.get(table) ?? []),
    description: kind === 'VIEW' || comment === '' ? null : comment,
    foreignKeys: foreignKeysOf(references.get(table) ?? []),
    snapshots: isInnodb,
    versioned: isInnodb && kind === 'BASE TABLE' && rows.every(({ extra }) => !VIRTUAL.test(extra)),
    ...stabilityOf(varying.has({ database, name: table })),
  } as const;
  const nearKey =
    relation.keys.length === 0 ? nearKeyOf(rows, indexes.get(table) ?? []) : undefined;
  const unusable = kind === 'VIEW' ? viewProblem(rows) : engineProblem(engine, comment);
  return { ...relation, ...(nearKey && { nearKey }), ...(unusable !== undefined && { unusable }) };
}

function stabilityOf(varies: boolean | undefined): Pick<Relation, 'varies' | 'unversioned'> {
  return varies === undefined ? { unversioned: NOT_SHOWN } : { varies };
}

function foreignKeysOf(
  rows: readonly ForeignKeyRow[],
): NonNullable<Relation['foreignKeys']>[number][] {
  return [...Map.groupBy(rows, ({ name }) => name).values()].map((parts) => ({
    columns: parts.map(({ column }) => column),
    relation: [parts[0]?.target ?? ''],
    key: parts.map(({ key }) => key),
  }));
}

function viewProblem(rows: readonly ColumnRow[]): string | undefined {
  return rows.length === 0
    ? 'The view refers to something that does not exist, ' +
        'that the account may not read, or that writes.'
    : undefined;
}

function engineProblem(engine: string | null, comment: string): string | undefined {
  return engine === null ? `The database cannot open it: ${comment}.` : undefined;
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

/**
 * The columns that a check constraint of their own, as MariaDB adds one for `json`, keeps to JSON.
 */
function jsonColumns(checks: readonly CheckRow[]): ReadonlySet<string> {
  return new Set(
    checks.flatMap(
      ({ clause }) =>
        /^json_valid\(`((?:[^`]|``)+)`\)$/i.exec(clause)?.[1]?.replaceAll('``', '`') ?? [],
    ),
  );
}

/**
 * The unique indexes that order all rows, the primary key first, then the narrowest. An expression
 * has no column name.
 */
function keysOf(rows: readonly ColumnRow[], parts: readonly IndexPartRow[]): KeyCandidate[] {
  const usable = new Set(
    rows
      .filter((row) => row.nullable === 'NO' && !UNBOUNDED.test(row.dataType))
      .map((row) => row.name),
  );
  return wholeIndexes(parts, usable)
    .toSorted((a, b) => rank(a) - rank(b))
    .map(columnsOf);
}

/** The unique indexes of whole columns, which may be NULL. */
function uniqueKeysOf(rows: readonly ColumnRow[], parts: readonly IndexPartRow[]): KeyCandidate[] {
  return wholeIndexes(parts, new Set(rows.map(({ name }) => name))).map(columnsOf);
}

function wholeIndexes(
  parts: readonly IndexPartRow[],
  usable: ReadonlySet<string>,
): (readonly IndexPartRow[])[] {
  return indexesOf(parts).filter((index) =>
    index.every(({ column, prefix }) => column !== null && prefix === null && usable.has(column)),
  );
}

function indexesOf(parts: readonly IndexPartRow[]): (readonly IndexPartRow[])[] {
  return [...Map.groupBy(parts, (part) => part.index).values()];
}

function columnsOf(index: readonly IndexPartRow[]): KeyCandidate {
  return namesOf(index).map((column) => ({ column }));
}

/** A unique index that could be a key but for columns that may be NULL, or that is over less. */
function nearKeyOf(
  rows: readonly ColumnRow[],
  parts: readonly IndexPartRow[],
): NonNullable<Relation['nearKey']> | undefined {
  const usable = new Set(
    rows.filter((row) => !UNBOUNDED.test(row.dataType)).map((row) => row.name),
  );
  const [near] = wholeIndexes(parts, usable);
  if (near !== undefined) return { why: 'nullable', columns: namesOf(near) };
  const others = indexesOf(parts).flatMap((index): NonNullable<Relation['nearKey']>[] => {
    const columns = namesOf(index);
    if (columns.length < index.length) return [{ why: 'expression', columns }];
    const why = index.some(({ prefix }) => prefix !== null) ? 'prefix' : 'unbounded';
    return [{ why, columns }];
  });
  return others.find(({ why }) => why === 'prefix') ?? others[0];
}

function namesOf(index: readonly IndexPartRow[]): string[] {
  return index.flatMap(({ column }) => column ?? []);
}

function rank(parts: readonly IndexPartRow[]): number {
  return parts[0]?.index === 'PRIMARY' ? 0 : parts.length;
}
