import {
  type Column,
  Introspection,
  type KeyCandidate,
  type Relation,
  Texts,
} from '@proj/engine/database';

import { extremesOf, quoted, typeOf, wireTypeOf } from './types.ts';
import { type Ask, withViewFacts } from './view-facts.ts';

const OWN = 'database_name = current_database() and not internal';

/** @param areLists whether views are those of files, whose changes their version says */
export async function introspect(ask: Ask, areLists: boolean): Promise<Relation[]> {
  const tables = await ask(`
    select schema_name, table_name, comment, sql, 'table' from duckdb_tables() where ${OWN}
    union all
    select schema_name, view_name, comment, sql, 'view' from duckdb_views() where ${OWN}
    order by 1, 2`);
  const columns = await ask(`
    select schema_name, table_name, column_name, is_nullable, data_type, comment
    from duckdb_columns() where ${OWN} order by schema_name, table_name, column_index`);
  const constraints = await ask(`
    select schema_name, table_name, constraint_type, constraint_column_names, referenced_table,
      referenced_column_names
    from duckdb_constraints() where database_name = current_database()
      and constraint_type in ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
    order by constraint_type <> 'PRIMARY KEY', len(constraint_column_names)`);
  const indexes = await ask(`
    select schema_name, table_name, 'UNIQUE', expressions
    from duckdb_indexes() where database_name = current_database() and is_unique`);
  const byTable = {
    columns: Map.groupBy(columns, idOf),
    constraints: Map.groupBy([...constraints, ...indexes.flatMap(asConstraint)], idOf),
  };
  const views = tables.filter(([, , , , kind]) => kind === 'view' && !areLists);
  const definitions = new Map(views.map((view) => [idOf(view), String(view[3])]));
  const relations = tables.map((table): Relation => {
    const [schema, name, comment, sql, kind] = table.map(String);
    const id = idOf(table);
    const isCollated = kind === 'table' && / collate /i.test(sql ?? '');
    return {
      path: [schema ?? '', name ?? ''],
      name: schema === 'main' ? (name ?? '') : `${schema}.${name}`,
      kind: kind === 'view' ? 'view' : 'table',
      description: table[2] === null ? null : (comment ?? null),
      snapshots: true,
      ...shapeOf(byTable.columns.get(id) ?? [], byTable.constraints.get(id) ?? [], schema ?? ''),
      ...(isCollated && {
        unusable: 'Its texts have a collation, by which they would be compared.',
      }),
    };
  });
  return withViewFacts(ask, relations, definitions);
}

function idOf([schema, table]: readonly unknown[]): string {
  return JSON.stringify([schema, table]);
}

/** An index over expressions has none that is a column's name. */
function asConstraint([schema, table, kind, expressions]: readonly unknown[]): unknown[][] {
  const names = /^\[(.*)\]$/.exec(String(expressions))?.[1]?.split(', ') ?? [];
  const columns = names.map((name) => name.replaceAll(/^['"]|['"]$/g, ''));
  return [[schema, table, kind, columns]];
}

function factsOf(
  name: string,
  type: string,
): Pick<Column, 'name' | 'databaseType' | 'type' | 'items' | 'extremes'> {
  // In lower case, the engine knows of its digits.
  const databaseType = type.replace(/^DECIMAL/, 'decimal');
  return { name, databaseType, ...wireTypeOf(databaseType), extremes: extremesOf(databaseType) };
}

type Shape = Pick<Relation, 'columns' | 'keys' | 'uniqueKeys' | 'nearKey' | 'foreignKeys'>;

function shapeOf(
  rows: readonly (readonly unknown[])[],
  constraints: readonly (readonly unknown[])[],
  schema: string,
): Shape {
  const primary = new Set(
    constraints.flatMap(([, , kind, names]) => (kind === 'PRIMARY KEY' ? (names as string[]) : [])),
  );
  const columns = rows.map(([, , name, nullable, type, comment]): Column => {
    return {
      ...factsOf(String(name), String(type)),
      nullable: nullable === true && !primary.has(String(name)),
      description: comment as string | null,
    };
  });
  const unique = constraints.filter(([, , kind]) => kind !== 'FOREIGN KEY');
  const indexes = unique.map(([, , , names]) => ({
    columns: (names as string[]).map((column): KeyCandidate[number] => ({ column })),
  }));
  const foreignKeys = constraints.flatMap(([, , kind, names, table, key]) =>
    kind === 'FOREIGN KEY'
      ? [{ columns: names as string[], relation: [schema, String(table)], key: key as string[] }]
      : [],
  );
  return {
    columns,
    ...Introspection.keysOf(columns, indexes),
    ...(foreignKeys.length > 0 && { foreignKeys }),
  };
}

type Refused = Introspection.Refused;

const TYPES =
  'text int32 int64 decimal float64 boolean uuid date time timestamp timestamp_tz bytes json array';

const RULES: Texts.OperatorRules = {
  name: 'DuckDB',
  words: { refused: '?$#\\' },
  types: TYPES.split(' '),
  wider: { int32: ['int64', 'decimal'], int64: ['decimal'], enum: ['text'] },
  varying: new RegExp(
    String.raw`\b(?:random|setseed|(?:gen_random_)?uuid(?:v\d)?|nextval|currval|getenv|glob|` +
      String.raw`getvariable|query(?:_table)?|\w*_scan|` +
      String.raw`(?:read|sniff|parquet|duckdb|pragma)_\w+)\s*\(`,
    'i',
  ),
  clocks: new RegExp(
    String.raw`\b(?:now|today|age|get_current_\w+|transaction_timestamp)\s*\(|` +
      String.raw`\b(?:current_(?:date|time|timestamp|local\w+)|localtime|localtimestamp)\b|` +
      String.raw`'(?:now|today|tomorrow|yesterday)'`,
    'i',
  ),
};

export async function describeComputed(
  asked: Introspection.AskedColumn,
  ask: Ask,
): Promise<Introspection.DescribedColumn> {
  const { sql, type = 'other', isOfRow } = asked;
  const refused = Texts.refusedColumn(asked, RULES) ?? collated(sql);
  if (refused !== undefined) return refused;
  const { condition, value } = Texts.statementsOf(asked, quoted);
  const fits = await columnsOf(Texts.sqlOf(condition), ask);
  if ('problem' in fits) return fits;
  const found = await columnsOf(Texts.sqlOf(value), ask);
  if ('problem' in found) return found;
  const [, actualType = ''] = found.columns[0] ?? [];
  const actual = factsOf('x', actualType).type;
  const other = Texts.otherType(actual, type, RULES);
  if (other !== undefined) return other;
  const databaseType = typeOf({ type, databaseType: actualType });
  const { name: _, ...facts } = factsOf('x', databaseType);
  const cast = actual === type ? '' : `::${databaseType}`;
  return { ...facts, type, computed: { sql: `(${sql}\n)${cast}`, isOfRow } };
}

export async function describeSelection(
  selection: Introspection.AskedSelection,
  ask: Ask,
): Promise<Introspection.DescribedSelection> {
  const { sql } = selection;
  const refused = Texts.refusedSelection(selection, RULES) ?? collated(sql);
  if (refused !== undefined) return refused;
  const found = await columnsOf(`${sql}\n`, ask);
  if ('problem' in found) return found;
  const columns = found.columns.map(([name, type]) => {
    return { ...factsOf(name, type), nullable: true, description: null };
  });
  return { sql: `${sql}\n`, columns };
}

function collated(sql: string): Refused | undefined {
  if (!/\bcollate\b/i.test(Texts.plainSql(sql, RULES.words))) return undefined;
  const problem = 'It has a collation, by which its texts would be compared.';
  return { problem, remedy: 'Leave the collation out.' };
}

/** @param sql a statement that is described, and not run */
async function columnsOf(
  sql: string,
  ask: Ask,
): Promise<{ readonly columns: readonly (readonly [name: string, type: string])[] } | Refused> {
  const describe = `select column_name, column_type from (describe ${sql})`;
  const rows = await Texts.tried(() => ask(describe), RULES, messageOf);
  if ('problem' in rows) return rows;
  return { columns: rows.map(([name, type]) => [String(name), String(type)]) };
}

function messageOf(error: unknown): string | undefined {
  return error instanceof Error ? error.message.replace(/^DuckDB: /, '') : undefined;
}
