import type { RelationPath } from '../../../sql/query-statements.ts';
import type { Statement } from '../../../sql/statement.ts';
import type { Row } from '../connection.ts';
import type { ComparedRelation } from './row-condition.ts';
import type { StampedParts } from './stamp.ts';

/** Why a relation that is asked for is not followed. */
export type FollowRefusal =
  | 'not_a_table'
  | 'a_partition'
  | 'not_logged'
  | 'row_security'
  | 'storage'
  | 'virtual_columns'
  | 'not_published'
  | 'filtered';

/** What the change log means for a relation. */
export interface RelationSchema extends StampedParts, ComparedRelation {
  /**
   * The columns of its key in the order of the key: of the index that is its replica identity, or
   * of the primary key. Empty where there is none, or where tables inherit from it.
   */
  readonly key: readonly string[];
  /** Whether the log brings whole old rows: the replica identity of each table is FULL. */
  readonly isFull: boolean;
  /** Undefined where it can be followed. */
  readonly refusal: FollowRefusal | undefined;
}

/** System objects, which nobody changes, have smaller oids. */
const FIRST_OF_USERS = 16_384;

/** The schema of a relation under a publication, as one JSON text; none where there is none. */
export function schemaStatement(path: RelationPath, publication: string): Statement {
  const [schema, name] = path;
  return {
    parameters: [schema, name, publication],
    sql: `
with recursive relation as (
  select c.*
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relname = $2
), members (id) as (
  select r.oid
  from relation r
  union
  select i.inhrelid
  from members m
  join pg_inherits i on i.inhparent = m.id
), types (id) as (
  select a.atttypid
  from relation r
  join pg_attribute a on a.attrelid = r.oid
  where a.attnum > 0 and a.atttypid >= ${FIRST_OF_USERS}
  union
  select n.id
  from types t
  cross join lateral (
    select y.typbasetype from pg_type y where y.oid = t.id
    union all
    select y.typelem from pg_type y where y.oid = t.id
    union all
    select r.rngsubtype from pg_range r where r.rngtypid = t.id
    union all
    select a.atttypid
    from pg_type y
    join pg_attribute a on a.attrelid = y.typrelid and a.attnum > 0
    where y.oid = t.id
  ) n (id)
  where n.id >= ${FIRST_OF_USERS}
), tables as (
  select c.*
  from members m
  join pg_class c on c.oid = m.id
), published (id) as (
  select p.relid::oid
  from pg_publication u
  cross join lateral pg_get_publication_tables(u.pubname) p
  where u.pubname = $3
)
select json_build_object(
  'oid', c.oid::bigint,
  'schema', c.relnamespace::bigint,
  'members', (select json_agg(m.id::bigint order by m.id) from members m),
  'types', coalesce((select json_agg(t.id::bigint order by t.id) from types t), '[]'),
  'key', coalesce((
    select json_agg(a.attname order by k.place)
    from pg_index i
    cross join lateral unnest(i.indkey::int2[]) with ordinality k (attnum, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = c.oid
      and k.place <= i.indnkeyatts
      and case when c.relreplident = 'i' then i.indisreplident else i.indisprimary end
      and (c.relkind = 'p' or not exists (select from pg_inherits h where h.inhparent = c.oid))
  ), '[]'),
  'columns', coalesce((
    select json_agg(json_build_object(
      'name', a.attname,
      'type', case
        when y.oid < ${FIRST_OF_USERS} then format_type(a.atttypid, a.atttypmod) || coalesce((
          select ' collate ' || l.collname
          from pg_collation l
          where l.oid = a.attcollation and not l.collisdeterministic
        ), '')
        else ''
      end,
      'isEnum', y.typtype = 'e'
    ))
    from pg_attribute a
    join pg_type y on y.oid = a.atttypid
    where a.attrelid = c.oid and a.attnum > 0 and a.attgenerated = ''
  ), '[]'),
  'isFull', coalesce(
    (select bool_and(t.relreplident = 'f') from tables t where t.relkind = 'r'),
    false
  ),
  'isUnicode', current_setting('server_encoding') = 'UTF8',
  'refusal', case
    when exists (select from tables t where t.relkind not in ('r', 'p')) then 'not_a_table'
    when c.relispartition then 'a_partition'
    when exists (select from tables t where t.relpersistence <> 'p') then 'not_logged'
    when exists (select from tables t where t.relrowsecurity) then 'row_security'
    when exists (
      select
      from tables t
      join pg_am m on m.oid = t.relam
      where m.amname <> 'heap'
    ) then 'storage'
    when exists (
      select
      from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and a.attgenerated = 'v'
    ) then 'virtual_columns'
    when exists (
      select
      from tables t
      where t.relkind = 'r' and t.oid not in (select p.id from published p)
    ) then 'not_published'
    when exists (
      select
      from members m
      join pg_publication_rel r on r.prrelid = m.id
      join pg_publication u on u.oid = r.prpubid
      cross join to_jsonb(r) j
      where u.pubname = $3
        and coalesce(j ->> 'prqual', j ->> 'prattrs') is not null
    ) then 'filtered'
  end
)::text
from relation c`,
  };
}

/** Undefined where the relation is gone. */
export function schemaOf([json]: Row): RelationSchema | undefined {
  if (json === null || json === undefined) return undefined;
  const { refusal, ...schema } = JSON.parse(json) as Omit<RelationSchema, 'refusal'> & {
    readonly refusal: FollowRefusal | null;
  };
  return { ...schema, refusal: refusal ?? undefined };
}
