import type { Statement } from '@proj/engine/database';

import { allMembersAre, IS_PLAIN, WITHOUT_CITUS } from '../states/relation-state.ts';
import { textLiteral } from '../values/sql-text.ts';
import { typeFacts } from '../values/wire-types.ts';

export class Readers {
  readonly #roles: readonly string[];

  constructor(roles: readonly string[]) {
    this.#roles = roles;
  }

  /** @param condition gets what comes first in `has_table_privilege(…)`: a role, or nothing */
  some(condition: (role: string) => string): string {
    if (this.#roles.length === 0) return condition('');
    return `(select bool_or(${condition('reader.oid, ')}) from ${this.#readers})`;
  }

  /** Whether a condition holds for all roles of which `of` holds; both as in {@link some}. */
  every(condition: (role: string) => string, of: (role: string) => string): string {
    if (this.#roles.length === 0) return condition('');
    const [ofAll, ofThose] = [condition('reader.oid, '), of('reader.oid, ')];
    return `(select bool_and(${ofAll}) filter (where ${ofThose}) from ${this.#readers})`;
  }

  get #readers(): string {
    const names = ['current_user', ...this.#roles.map((role) => textLiteral(role))];
    return `(select oid from pg_roles where rolname in (${names.join(', ')})) as reader`;
  }
}

export const SERVICE = new Readers([]);

/** Whether a relation `c`'s existing rows have no NULL in column `a`. */
export const NOT_NULL = `c.relkind in ('r', 'p') and a.attnotnull and not exists (
  select
  from pg_constraint v
  where v.conrelid = c.oid
    and v.contype = 'n'
    and not v.convalidated
    and a.attnum = any(v.conkey)
)`;

/** Whether `c`'s indexes miss rows of inheriting tables. */
export const HAS_CHILDREN = `c.relkind <> 'p' and exists (
  select from pg_inherits h where h.inhparent = c.oid
)`;

/** SQL: the name of the collation `l` that meets a condition. */
function collationWhere(condition: string): string {
  return `(
    select quote_ident(s.nspname) || '.' || quote_ident(l.collname)
    from pg_collation l
    join pg_namespace s on s.oid = l.collnamespace
    where ${condition}
  )`;
}

/** Of a relation `c`, covering all its rows, the primary key first, as JSON without NULLs. */
export const UNIQUE_INDEXES = `select json_strip_nulls(json_agg(
  json_build_object('columns', k.compared, 'key', k.ordered, 'isLate', not i.indimmediate)
  order by i.indisprimary desc, i.indnkeyatts, i.indexrelid
))
from pg_index i
cross join lateral (
  select
    json_agg(json_build_object('column', a.attname, 'collation', o.name) order by p.place)
      as compared,
    json_agg(json_build_object(
      'column', a.attname,
      'collation', case when i.indcollation[p.place - 1] <> a.attcollation then o.name end
    ) order by p.place) as ordered
  from unnest(i.indkey::int2[]) with ordinality as p (attnum, place)
  join pg_attribute a on a.attrelid = c.oid and a.attnum = p.attnum
  left join lateral ${collationWhere('l.oid = i.indcollation[p.place - 1]')} as o (name) on true
  where p.place <= i.indnkeyatts
) k
where i.indrelid = c.oid
  and i.indisunique
  and i.indisvalid
  and i.indisready
  and i.indpred is null
  and i.indexprs is null`;

type OfRole = (role: string) => string;

function mayRead(question: string, what: string): OfRole {
  return (role) => `${question}(${role}${what}, 'select')`;
}

/** Each kind of column is described once: a database has few. */
const TYPE_KEY = `concat_ws(' ', a.atttypid, a.atttypmod, a.attcollation)`;

/** Replaces `col_description`, which runs a query for each column. */
function description(column: string): string {
  return `(
    select x.description
    from pg_description x
    where x.classoid = 'pg_class'::regclass and x.objoid = c.oid and x.objsubid = ${column}
  )`;
}

const MAY_READ_SOME: OfRole = mayRead('has_any_column_privilege', 'c.oid');

/**
 * Partitioned tables without partitions. A domain, also in an array, counts as its base type.
 * NOT NULL counts where existing rows are held to it: not in foreign tables, nor by constraints
 * not yet valid. A parent table's indexes don't cover its children's rows.
 */
export function introspection(readers: Readers = SERVICE): Statement {
  const sql = `
with recursive domains (id, base, typmod) as (
  select oid, typbasetype, typtypmod
  from pg_type
  where typtype = 'd'
  union all
  select d.id, t.typbasetype, t.typtypmod
  from domains d
  join pg_type t on t.oid = d.base
  where t.typtype = 'd'
), bases as (
  select d.id, d.base, d.typmod
  from domains d
  join pg_type t on t.oid = d.base
  where t.typtype <> 'd'
)
select json_strip_nulls(json_build_object('version', current_setting('server_version_num')::int,
'encoding', current_setting('server_encoding'), 'types', (
  select json_object_agg(${TYPE_KEY}, json_build_object(
    'databaseType', case
      when b.id is null then format_type(t.oid, coalesce(d.typmod, a.atttypmod))
      else format_type(b.base, b.typmod) || '[]'
    end || coalesce(' collate ' || ${collationWhere(
      'l.oid = a.attcollation and not l.collisdeterministic',
    )}, ''),
    'facts', ${typeFacts('t')},
    'collation', ${collationWhere("l.oid = a.attcollation and l.collname <> 'default'")},
    'items', case
      when t.typcategory = 'A' and t.typelem <> 0 then ${typeFacts('e')}
    end
  ))
  from (select distinct atttypid, atttypmod, attcollation from pg_attribute) a
  left join bases d on d.id = a.atttypid
  join pg_type t on t.oid = coalesce(d.base, a.atttypid)
  left join bases b on b.id = t.typelem
  left join pg_type e on e.oid = coalesce(b.base, t.typelem)
), 'relations', (select coalesce(json_agg(r), '[]') from (
  select
    c.nspname as schema,
    c.relname as name,
    c.relkind as kind,
    c.relispopulated as populated,
    c.nspname = current_schema() as is_current,
    ${WITHOUT_CITUS} and ${allMembersAre('c.oid', IS_PLAIN)} as versioned,
    c.relkind = 'p' or c.relhassubclass as may_have_members,
    c.relrowsecurity as has_policies,
    c.relkind in ('r', 'p', 'v')
    and ${readers.every(mayRead('has_table_privilege', 'c.oid'), MAY_READ_SOME)}
    and ${WITHOUT_CITUS} as lockable,
    ${description('0')} as description,
    (
      select json_agg(
        json_build_object(
          'name', a.attname,
          'not_null', ${NOT_NULL},
          'description', ${description('a.attnum')},
          'type', ${TYPE_KEY}
        )
        order by a.attnum
      )
      from pg_attribute a
      where a.attrelid = c.oid
        and a.attnum > 0
        and not a.attisdropped
        and ${readers.some(mayRead('has_column_privilege', 'c.oid, a.attnum'))}
    ) as columns,
    (
      ${UNIQUE_INDEXES}
    ) as keys,
    (
      select json_agg(
        json_build_object(
          'columns', p.columns, 'relation', json_build_array(s.nspname, f.relname),
          'key', p.key, 'operators', p.operators
        )
        order by o.conname
      )
      from pg_constraint o
      join pg_class f on f.oid = o.confrelid
      join pg_namespace s on s.oid = f.relnamespace
      cross join lateral (
        select
          json_agg(a.attname order by u.place) as columns,
          json_agg(b.attname order by u.place) as key,
          case
            when bool_or(e.nspname <> 'pg_catalog')
            then json_agg(
              'operator(' || quote_ident(e.nspname) || '.' || x.oprname || ')' order by u.place
            )
          end as operators
        from unnest(o.conkey, o.confkey, o.conpfeqop)
          with ordinality as u (attnum, key, operator, place)
        join pg_operator x on x.oid = u.operator
        join pg_namespace e on e.oid = x.oprnamespace
        join pg_attribute a on a.attrelid = o.conrelid and a.attnum = u.attnum
        join pg_attribute b on b.attrelid = o.confrelid and b.attnum = u.key
      ) p
      where o.conrelid = c.oid
        and o.contype = 'f'
        and not f.relispartition
    ) as foreign_keys,
    case when c.relkind = 'm' then 'materialised' when ${HAS_CHILDREN} then 'children' end as why
  from (
    select c.*, n.nspname
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f')
      and not c.relispartition
      and n.nspname <> 'information_schema'
      and n.nspname !~ '^pg_'
      and ${readers.some(
        (role) => `has_schema_privilege(${role}n.oid, 'usage')
      and ${MAY_READ_SOME(role)}`,
      )}
    order by n.nspname = current_schema() desc, n.nspname, c.relname
  ) c
) r)))::text`;
  return { parameters: [], sql };
}
