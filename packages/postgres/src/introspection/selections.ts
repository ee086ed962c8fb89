import { type Column, type Introspection, Texts } from '@proj/engine/database';

import { encodingOf } from '../values/encodings.ts';
import { quoted } from '../values/sql-text.ts';
import { type CatalogueType, extremesOf, wireTypeOf } from '../values/wire-types.ts';
import {
  baseOf,
  calledBy,
  type Asking,
  NO_COLLATION,
  type Placed,
  RULES,
  tried,
} from './operator-sql.ts';

interface ColumnFacts {
  readonly type: CatalogueType;
  readonly items: CatalogueType | null;
  readonly databaseType: string;
  readonly isText: boolean;
  readonly collation: {
    readonly name: string;
    readonly exact: boolean;
    readonly isDefault: boolean;
  } | null;
}

interface SelectionFacts {
  readonly version: number;
  readonly encoding: string;
  readonly columns: readonly ColumnFacts[];
}

/** The columns of a selection of the settings. Reads none of its rows. */
export async function describeSelection(
  selection: Introspection.AskedSelection,
  asking: Asking,
): Promise<Introspection.DescribedSelection> {
  const refused = Texts.refusedSelection(selection, RULES);
  if (refused !== undefined) return refused;
  const { sql: text } = selection;
  const listed = await tried(asking, namesOf(text));
  if ('problem' in listed) return listed;
  const called = await tried(asking, calledBy(text));
  if ('problem' in called) return called;
  const [call] = called.row;
  if (call != null) return Texts.varyingCall(call);
  const names = JSON.parse(listed.row[0] ?? '[]') as string[];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return namesakes(repeated);
  const found = await tried(asking, factsOf(text, names));
  if ('problem' in found) return found;
  const facts = JSON.parse(found.row[0] ?? '{}') as SelectionFacts;
  if (facts.columns.some(({ isText, collation }) => isText && collation === null))
    return NO_COLLATION;
  return {
    sql: `${text}\n`,
    columns: names.flatMap((name, index) => {
      const column = facts.columns[index];
      return column === undefined ? [] : columnOf(name, column, facts);
    }),
  };
}

function columnOf(
  name: string,
  { type, items, databaseType, collation }: ColumnFacts,
  { version, encoding }: SelectionFacts,
): Column {
  const isExact = collation?.exact !== false;
  return {
    name,
    ...wireTypeOf(type, items),
    databaseType: isExact ? databaseType : `${databaseType} collate ${collation.name}`,
    nullable: true,
    description: null,
    extremes: extremesOf(version),
    encoding: encodingOf(encoding),
    ...(collation !== null && !collation.isDefault && { collation: collation.name }),
  };
}

/** One row of NULLs, whose whole has the names of the columns. */
function rowOfNulls(text: string): { readonly before: string; readonly rows: string } {
  const before = '(select r.* from (select 1) as d left join (select * from (';
  return { before, rows: `${before}${text}\n) as s limit 0) as r on true) as q` };
}

function namesOf(text: string): Placed {
  const { before, rows } = rowOfNulls(text);
  const selected = 'select json_agg(k.name)::text from ';
  // A column may be named as we name the row, or the names.
  const sql = `${selected}${rows} cross join lateral json_object_keys(to_json(q.*)) as k (name)`;
  return { before: `${selected}${before}`, text, sql };
}

function factsOf(text: string, names: readonly string[]): Placed {
  const columns = names.map((name, index) => {
    const column = `q.${quoted(name)}`;
    const type = `pg_typeof(${column})`;
    const collation = `case when exists (
      select from pg_type y
      where y.oid in (${type}, (select z.typbasetype from pg_type z where z.oid = ${type}))
        and y.typcollation <> 0
    ) then pg_collation_for(${column}) end`;
    return `(${index}, ${type}::oid, ${collation})`;
  });
  const { before, rows } = rowOfNulls(text);
  const sql = `select json_build_object(
    'version', current_setting('server_version_num')::int,
    'encoding', current_setting('server_encoding'),
    'columns', json_agg(json_build_object(
      'type', json_build_object(
        'name', b.typname,
        'kind', b.typtype,
        'built_in', b.typnamespace = 'pg_catalog'::regnamespace
      ),
      'items', case
        when b.typcategory = 'A' and b.typelem <> 0 then json_build_object(
          'name', e.typname,
          'kind', e.typtype,
          'built_in', e.typnamespace = 'pg_catalog'::regnamespace
        )
      end,
      'databaseType', case b.typname
        when 'bpchar' then 'bpchar' else format_type(b.oid, null)
      end,
      'isText', b.typcollation <> 0,
      'collation', (
        select json_build_object(
          'name', quote_ident(s.nspname) || '.' || quote_ident(l.collname),
          'exact', l.collisdeterministic,
          'isDefault', l.collname = 'default'
        )
        from pg_collation l
        join pg_namespace s on s.oid = l.collnamespace
        where l.oid = to_regcollation(c.compared_by)
      )
    ) order by c.place)
  )::text
  from ${rows}
  cross join lateral (values ${columns.join(', ')}) as c (place, type, compared_by)
  join pg_type b on b.oid = ${baseOf('c.type')}
  left join pg_type e on e.oid = b.typelem`;
  return { before, text, sql };
}

function namesakes(name: string): Introspection.Refused {
  const problem = `Two of its columns are named ${JSON.stringify(name)}.`;
  return { problem, remedy: 'Give one of them another name with `as`.' };
}
