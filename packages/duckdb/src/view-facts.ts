import { Introspection, type Relation, Texts } from '@proj/engine/database';

import { type Ask, unquoted } from './types.ts';

/** Aggregates whose result does not depend on the order of rows, which threads decide. */
const STEADY = `'count', 'count_star', 'sum', 'min', 'max', 'bool_and', 'bool_or', 'bit_and',
  'bit_or', 'bit_xor', 'count_if'`;

/** Calls that the settings may not have. */
export const VARYING =
  String.raw`\b(?:random|setseed|(?:gen_random_)?uuid(?:v\d)?|nextval|currval|stats|txid_current|` +
  String.raw`current_(?:query|(?:query|connection|transaction)_id)|getenv|getvariable|glob|` +
  String.raw`query(?:_table)?|\w*_scan|(?:read|sniff|parquet|duckdb|pragma)_\w+)\s*\(`;

/** Of the time, or of this process. Some are written like a column. */
export const CLOCKS =
  String.raw`\b(?:now|today|age|ago|(?:get_current|transaction)_\w+|current_setting|` +
  String.raw`current_local\w+)\s*\(|\b(?:current_(?:date|time|timestamp)|localtime(?:stamp)?)\b`;

/** Ends with the first `as` outside of names. */
const CREATE_VIEW = String.raw`^(?:"(?:[^"]|"")*"|[^"])*?\sas\s`;

/** Of views and generated columns, by the parts that DuckDB reads a definition as. */
const FACTS = `
  with own as (
    select [schema_name, view_name] as path,
      regexp_replace(sql, '${CREATE_VIEW}', '', 'i') as query
    from duckdb_views() where database_name = current_database() and not internal
    union all
    select [schema_name, table_name], 'select ' || string_agg(column_default, ', ')
    from duckdb_columns() join duckdb_tables() using (database_name, schema_name, table_name)
    where database_name = current_database() and not contains(sql, 'DEFAULT(' || column_default)
    group by all
  ), calls as (
    select lower(function_name) as name,
      not internal
        or function_type = 'aggregate' and function_name not in (${STEADY})
        or function_type = 'scalar' and stability is distinct from 'CONSISTENT'
        or regexp_matches(coalesce(macro_definition, function_name || '('), '${VARYING}|${CLOCKS}')
        or regexp_matches(macro_definition, '(agg|avg|sum|mean|array)[(]') as varies,
      not internal
        or regexp_matches(coalesce(macro_definition, function_name), 'unnest|unlist') as multiplies
    from duckdb_functions() where database_name <> 'temp'
  ), parts as (
    select own.path, query, node.path as place, value, value ->> 'type' as kind,
      lower(value ->> 'function_name') as called, lower(value ->> '$.column_names[#-1]') as named
    from own, json_tree(json_serialize_sql(query)) as node where node.type = 'OBJECT'
  ), facts as (
    select path, query,
      coalesce(list([coalesce(nullif(value ->> 'schema_name', ''), beside), value ->> 'table_name'])
        filter (kind = 'BASE_TABLE'), []) as reads,
      bool_or(starts_with(place, '$.statements[0].node.select_list')
        and called in (select name from calls where multiplies)) as multiplies,
      min(case
        when (value ->> 'class') = 'WINDOW'
          then 'numbers rows, which may be in another order each time'
        when called in (select name from calls where varies) or regexp_matches(named, '${CLOCKS}')
          then 'calls ' || coalesce(called, named) || ', which may give another result each time'
        when called = 'sum' and regexp_matches(json_serialize_plan(query),
          '"error":true|"name":"sum","arguments":.."id":"DOUBLE"')
          then 'adds up floating point numbers, whose last digits may be others each time'
        when kind like 'LIMIT%_MODIFIER' or (value ->> 'sample') is not null
          then 'shows some of its rows, which may be others each time'
        when json_array_length(value, '$.distinct_on_targets') > 0
          then 'shows one of several rows, which may be another each time'
        when kind = 'TABLE_FUNCTION' then 'reads what is no table'
      end) as reason
    from parts, unnest(['main', path[1]]) as schemas(beside) group by all
  )
  select path, reads, try(json_deserialize_sql(json_serialize_sql(query))) as described,
    if(multiplies, null, described) as sql,
    case when described is null then 'is not described by DuckDB' else reason end as reason
  from facts`;

interface ViewFacts extends Pick<Relation, 'path'> {
  readonly reads: readonly Relation['path'][];
  /** As DuckDB prints it, from `select` on; NULL where it may show a row several times. */
  readonly sql: string | null;
  /** Why it may show other rows each time. */
  readonly reason: string | null;
}

/** Says of views what holds for what they read, and why, and gives them keys of their table. */
export async function withViewFacts(ask: Ask, relations: readonly Relation[]): Promise<Relation[]> {
  const views = new Map((await ask<ViewFacts>(FACTS)).map((view) => [idOf(view.path), view]));
  const known = new Map(relations.map((relation) => [idOf(relation.path), relation]));
  const factsOf = Introspection.judgeOnce((id: string): Partial<Relation> => {
    const { reason = null, reads = [] } = views.get(id) ?? {};
    const { unusable } = known.get(id) ?? {};
    return {
      ...reads
        .map((path) => factsOf(idOf(path)))
        .reduceRight((all, one) => ({ ...all, ...one }), {}),
      ...(reason !== null && { versioned: false, varies: true, unversioned: reason }),
      ...(unusable !== undefined && { unusable }),
    };
  }, {});
  const shownBy = (view: Relation) => shownIn(views.get(idOf(view.path))?.sql ?? '', view, known);
  const keyed = Introspection.withViewKeys(relations, shownBy);
  return keyed.map((one) => ({ ...one, versioned: true, ...factsOf(idOf(one.path)) }));
}

/** Names differ by more than the case of their letters. */
function idOf(path: readonly string[]): string {
  return JSON.stringify(path).toLowerCase();
}

const NAME = String.raw`[\w$\u0080-\u{10ffff}]+|"(?:[^"]|"")*"`;

const TOKEN = new RegExp(String.raw`'(?:[^']|'')*'|${NAME}|\S`, 'gu');

/** `"t" . id as "number"`. A name of two parts may also lead into a struct. */
const COLUMN = new RegExp(String.raw`^(?:(${NAME}) \. )?(${NAME})(?: as (?:${NAME}))?$`, 'u');

function shownIn(
  sql: string,
  view: Relation,
  known: ReadonlyMap<string, Relation>,
): Introspection.Shown | undefined {
  const tokens = [...sql.matchAll(TOKEN)].map(([token]) => token.toLowerCase());
  const { items = [], path = [], alias = '' } = Texts.singleSource(tokens) ?? {};
  const [name = '', schema = 'main', ...others] = path.map(unquoted).toReversed();
  const relation = others.length === 0 ? known.get(idOf([schema, name])) : undefined;
  const names = relation?.columns.map((column) => column.name) ?? [];
  const originOf = (item: readonly string[]): string | undefined => {
    const [, of = alias, column] = COLUMN.exec(item.join(' ')) ?? [];
    return column !== undefined && unquoted(of) === unquoted(alias) ? unquoted(column) : undefined;
  };
  const shown = items.join() === '*' ? names.map((one) => one.toLowerCase()) : items.map(originOf);
  if (relation === undefined || shown.length !== view.columns.length) return undefined;
  const nameOf = names.map(
    (column) => [column, view.columns[shown.indexOf(column.toLowerCase())]?.name] as const,
  );
  return { relation, nameOf: new Map(nameOf) };
}
