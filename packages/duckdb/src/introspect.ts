import {
  type Column,
  Introspection,
  type KeyCandidate,
  type Relation,
} from '@proj/engine/database';

import { extremesOf, wireTypeOf } from './types.ts';
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
    const collated = kind === 'table' && / collate /i.test(sql ?? '');
    return {
      path: [schema ?? '', name ?? ''],
      name: schema === 'main' ? (name ?? '') : `${schema}.${name}`,
      kind: kind === 'view' ? 'view' : 'table',
      description: table[2] === null ? null : (comment ?? null),
      snapshots: true,
      ...shapeOf(byTable.columns.get(id) ?? [], byTable.constraints.get(id) ?? [], schema ?? ''),
      ...(collated && { unusable: 'Its texts have a collation, by which they would be compared.' }),
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

export function factsOf(
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
