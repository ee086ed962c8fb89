import {
  type Column,
  type Field,
  type Introspection,
  type Source,
  Texts,
} from '@proj/engine/database';

import { encodingOf } from '../values/encodings.ts';
import { quoted } from '../values/sql-text.ts';
import { type CatalogueType, extremesOf, typeFacts, wireTypeOf } from '../values/wire-types.ts';
import { jsonPlace } from './json-places.ts';
import { type Asking, RULES, tried, TYPES, volatileCall } from './operator-sql.ts';

/** Describes SQL of the settings, each text in transactions of its own. Reads no rows. */
export function computing(
  inTransaction: Asking['inTransaction'],
): Required<Pick<Source, 'describe' | 'describeSelection' | 'jsonPlace'>> {
  return {
    jsonPlace,
    describe: (column, roles) => describeComputed(column, { inTransaction, roles }),
    describeSelection: (selection, roles) => describeSelection(selection, { inTransaction, roles }),
  };
}

/** A cast to those would lose digits, or change the text. */
const OWN_TYPES: Readonly<Record<string, Field['databaseType']>> = { float4: 'real', json: 'json' };

async function describeComputed(
  asked: Introspection.AskedColumn,
  asking: Asking,
): Promise<Introspection.DescribedColumn> {
  const { sql, type = 'other', isOfRow, isOwn = false } = asked;
  const { value, condition } = Texts.statementsOf(asked, quoted);
  const refused = Texts.refusedColumn(asked, RULES);
  if (refused !== undefined) return refused;
  if (!isOwn) {
    const tested = await tried(asking, condition);
    if ('problem' in tested) return tested;
    const volatile = await volatileCall(asking, condition.text);
    if (volatile !== undefined) return volatile;
  }
  const facts = await factsOf(value, ['x'], asking);
  if ('problem' in facts) return facts;
  const [column] = facts.columns;
  if (column === undefined) throw new Error('An expression is one column.');
  const other = Texts.otherType(wireTypeOf(column.type, column.items).type, type, RULES);
  if (other !== undefined) return other;
  const { built_in: isBuiltIn, name } = column.type;
  const databaseType = (isBuiltIn ? OWN_TYPES[name] : undefined) ?? TYPES[type] ?? '';
  const shown = typeOf({ ...column, databaseType }, facts);
  return { ...shown, type, computed: { sql: `(${sql}\n)::${databaseType}`, isOfRow } };
}

async function describeSelection(
  selection: Introspection.AskedSelection,
  asking: Asking,
): Promise<Introspection.DescribedSelection> {
  const refused = Texts.refusedSelection(selection, RULES);
  if (refused !== undefined) return refused;
  const selected = { before: '', text: selection.sql, after: '\n' };
  const listed = await tried(asking, around(selected, NAMES));
  if ('problem' in listed) return listed;
  const volatile = await volatileCall(asking, selection.sql);
  if (volatile !== undefined) return volatile;
  const names = JSON.parse(listed.row[0] ?? '[]') as string[];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) {
    const problem = `Two of its columns are named ${JSON.stringify(repeated)}.`;
    return { problem, remedy: 'Give one of them another name with `as`.' };
  }
  const facts = await factsOf(selected, names, asking);
  if ('problem' in facts) return facts;
  return {
    sql: Texts.sqlOf(selected),
    columns: names.flatMap((name, index) => {
      const column = facts.columns[index];
      return column ? { name, nullable: true, description: null, ...typeOf(column, facts) } : [];
    }),
  };
}

function typeOf(
  { type, items, databaseType, collation }: ColumnFacts,
  { version, encoding }: SelectionFacts,
): Omit<Column, 'name' | 'nullable' | 'description'> {
  const isExact = collation?.exact !== false;
  return {
    ...wireTypeOf(type, items),
    databaseType: isExact ? databaseType : `${databaseType} collate ${collation.name}`,
    extremes: extremesOf(version),
    encoding: encodingOf(encoding),
    ...(collation !== null && !collation.isDefault && { collation: collation.name }),
  };
}

/** Around a selection: one row `q` of NULLs, whose whole has the names of the columns. */
const NULLS = {
  before: '(select r.* from (select 1) as d left join (select * from (',
  after: ') as s limit 0) as r on true) as q',
};

function around(
  { before, text, after }: Texts.PlacedSql,
  outer: Omit<Texts.PlacedSql, 'text'>,
): Texts.PlacedSql {
  return {
    before: `${outer.before}${NULLS.before}${before}`,
    text,
    after: `${after}${NULLS.after}${outer.after}`,
  };
}

const NAMES = {
  before: 'select json_agg(k.name)::text from ',
  // A column may be named as we name the row, or the names.
  after: ' cross join lateral json_object_keys(to_json(q.*)) as k (name)',
};

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

/** What a selection's columns are, in their order. */
async function factsOf(
  selected: Texts.PlacedSql,
  names: readonly string[],
  asking: Asking,
): Promise<SelectionFacts | Introspection.Refused> {
  const columns = names.map((name, index) => {
    const column = `q.${quoted(name)}`;
    const type = `pg_typeof(${column})`;
    const collation = `case when exists (
      select from pg_type y
      where y.oid in (${type}, ${baseOf(type)})
        and y.typcollation <> 0
    ) then pg_collation_for(${column}) end`;
    return `(${index}, ${type}::oid, ${collation})`;
  });
  const asked = around(selected, {
    before: `select json_build_object(
    'version', current_setting('server_version_num')::int,
    'encoding', current_setting('server_encoding'),
    'columns', json_agg(json_build_object(
      'type', ${typeFacts('b')},
      'items', case when b.typcategory = 'A' and b.typelem <> 0 then ${typeFacts('e')} end,
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
  from `,
    after: `
  cross join lateral (values ${columns.join(', ')}) as c (place, type, compared_by)
  join pg_type b on b.oid = ${baseOf('c.type')}
  left join pg_type e on e.oid = b.typelem`,
  });
  const found = await tried(asking, asked);
  if ('problem' in found) return found;
  const facts = JSON.parse(found.row[0] ?? '{}') as SelectionFacts;
  const isUnknown = facts.columns.some(({ isText, collation }) => isText && collation === null);
  return isUnknown ? NO_COLLATION : facts;
}

/** A domain may be over another one. */
function baseOf(type: string): string {
  return `(with recursive bases (id, base) as (
    select oid, typbasetype from pg_type where oid = ${type}
    union all select t.oid, t.typbasetype from bases join pg_type t on t.oid = bases.base
  ) select id from bases where base = 0)`;
}

const NO_COLLATION: Introspection.Refused = {
  problem: 'PostgreSQL does not know which collation its texts have.',
  remedy: 'Add one to the expression, such as collate "C".',
};
