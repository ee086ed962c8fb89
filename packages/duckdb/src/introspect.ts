import { type Column, Introspection, type Relation, Texts } from '@proj/engine/database';

import { ROW_NUMBER } from './files.ts';
import { type Ask, extremesOf, quoted, typeOf, wireTypeOf } from './types.ts';
import { CLOCKS, VARYING, withViewFacts } from './view-facts.ts';

/** An index over expressions has none that is a column's name. */
const RELATIONS = `
  with own as (
    select schema_name, table_name, comment as description, 'table' as kind,
      sql ilike '% collate %' as "isCollated"
    from duckdb_tables() where database_name = current_database() and not internal
    union all
    select schema_name, view_name, comment, 'view', sql ilike '% collate %' or (
      from duckdb_functions() select bool_or(macro_definition ilike '% collate %')
        and bool_or(sql ilike '%' || function_name || '%') where not internal)
    from duckdb_views() where database_name = current_database() and not internal
  ), columns as (
    select schema_name, table_name,
      list({name: column_name, type: data_type, nullable: is_nullable, description: comment}
        order by column_index) as columns
    from duckdb_columns() where database_name = current_database() group by all
  ), indexes as (
    select schema_name, table_name, constraint_type as kind, constraint_column_names as names,
      referenced_table as other, referenced_column_names as key
    from duckdb_constraints() where database_name = current_database()
      and constraint_type in ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
    union all
    select schema_name, table_name, 'UNIQUE',
      list_transform(try_cast(expressions as varchar[]), lambda name: trim(name, '"')), null, null
    from duckdb_indexes() where database_name = current_database() and is_unique
  ), keys as (
    select schema_name, table_name,
      list({columns: list_transform(names, lambda name: {"column": name})}
        order by kind <> 'PRIMARY KEY', len(names)) filter (kind <> 'FOREIGN KEY') as indexes,
      list({columns: names, relation: [schema_name, other], key: key})
        filter (kind = 'FOREIGN KEY') as "foreignKeys"
    from indexes group by all
  )
  select [schema_name, table_name] as path, own.* exclude (schema_name, table_name),
    concat(case when schema_name <> 'main' then schema_name || '.' end, table_name) as name,
    columns, coalesce(indexes, []) as indexes, coalesce("foreignKeys", []) as "foreignKeys"
  from own join columns using (schema_name, table_name)
    left join keys using (schema_name, table_name)
  order by schema_name, table_name`;

interface Found extends Pick<Relation, 'path' | 'name' | 'kind' | 'description' | 'foreignKeys'> {
  readonly isCollated: boolean;
  readonly columns: readonly (Omit<Column, 'type'> & { readonly type: string })[];
  readonly indexes: readonly Introspection.UniqueIndex[];
}

/** @param numbered lists of files whose rows are numbered; undefined for a database file */
export async function introspect(ask: Ask, numbered?: ReadonlySet<string>): Promise<Relation[]> {
  const relations = (await ask<Found>(RELATIONS)).map(relationOf);
  if (numbered === undefined) return withViewFacts(ask, relations);
  return relations.map((list) => {
    const keys = numbered.has(list.name) ? [[{ column: ROW_NUMBER }]] : [];
    return { ...Introspection.withKeys(list, keys), versioned: true };
  });
}

function relationOf({ columns: found, indexes, isCollated, ...relation }: Found): Relation {
  const columns = found.map((column): Column => ({ ...column, ...factsOf(column.type) }));
  const keys = Introspection.keysOf(columns, indexes);
  return { ...relation, snapshots: true, columns, ...keys, ...(isCollated && COLLATED) };
}

const COLLATED = { unusable: 'Its texts have a collation, by which they would be compared.' };

function factsOf(type: string): Pick<Column, 'databaseType' | 'type' | 'items' | 'extremes'> {
  // In lower case, the engine knows of its digits.
  const databaseType = type.replace(/^DECIMAL/, 'decimal');
  return { databaseType, ...wireTypeOf(databaseType), extremes: extremesOf(databaseType) };
}

const TYPES =
  'text int32 int64 decimal float64 boolean uuid date time timestamp timestamp_tz bytes json array';

const RULES: Texts.OperatorRules = {
  name: 'DuckDB',
  words: { refused: '?$#\\' },
  types: TYPES.split(' '),
  wider: { int32: ['int64', 'decimal'], int64: ['decimal'], enum: ['text'] },
  varying: new RegExp(VARYING, 'i'),
  clocks: new RegExp(CLOCKS, 'i'),
};

export async function describeComputed(
  asked: Introspection.AskedColumn,
  ask: Ask,
): Promise<Introspection.DescribedColumn> {
  const { sql, type = 'other', isOfRow } = asked;
  const refused = Texts.refusedColumn(asked, RULES) ?? collated(sql);
  const { condition, value } = Texts.statementsOf(asked, quoted);
  const fits = refused ?? (await columnsOf(Texts.sqlOf(condition), ask));
  const found = 'problem' in fits ? fits : await columnsOf(Texts.sqlOf(value), ask);
  if ('problem' in found) return found;
  const [{ databaseType, type: actual } = factsOf('')] = found;
  const other = Texts.otherType(actual, type, RULES);
  if (other !== undefined) return other;
  const shown = typeOf({ type, databaseType });
  const cast = actual === type ? '' : `::${shown}`;
  return { ...factsOf(shown), type, computed: { sql: `(${sql}\n)${cast}`, isOfRow } };
}

export async function describeSelection(
  selection: Introspection.AskedSelection,
  ask: Ask,
): Promise<Introspection.DescribedSelection> {
  const sql = `${selection.sql}\n`;
  const refused = Texts.refusedSelection(selection, RULES) ?? collated(sql);
  const columns = refused ?? (await columnsOf(sql, ask));
  return 'problem' in columns ? columns : { sql, columns };
}

function collated(sql: string): Introspection.Refused | undefined {
  if (!/\bcollate\b/i.test(Texts.plainSql(sql, RULES.words))) return undefined;
  const problem = 'It has a collation, by which its texts would be compared.';
  return { problem, remedy: 'Leave the collation out.' };
}

/** @param sql a statement that is described, and not run */
async function columnsOf(
  sql: string,
  ask: Ask,
): Promise<readonly Column[] | Introspection.Refused> {
  const describe = async (): Promise<readonly Column[]> => {
    const rows = await ask<Readonly<Record<'name' | 'type', string>>>(
      `select column_name as name, column_type as type from (describe ${sql})`,
    );
    const facts = { nullable: true, description: null };
    return rows.map(({ name, type }) => ({ name, ...facts, ...factsOf(type) }));
  };
  return Texts.tried(describe, RULES, (error) =>
    error instanceof Error
      ? error.message.replace(/^DuckDB: (Failed to extract statements: )?/, '')
      : undefined,
  );
}
