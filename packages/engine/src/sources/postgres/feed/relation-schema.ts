import type { RelationPath } from '../../../sql/query-statements.ts';
import type { Statement } from '../../../sql/statement.ts';
import type { Row } from '../connection.ts';
import { MEMBERS } from './stamp.ts';

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
export interface RelationSchema {
  readonly oid: number;
  /** Its name as the snapshot shows it, outermost part first. */
  readonly path: RelationPath;
  /** The oids of all tables that hold its rows, and of the partitioned ones between. */
  readonly members: readonly number[];
  /**
   * The columns of its key in the order of the key: of the index that is its replica identity, or
   * of the primary key. Empty where there is none, or where tables inherit from it.
   */
  readonly key: readonly string[];
  /** Undefined where it can be followed. */
  readonly refusal: FollowRefusal | undefined;
}

/** The oid of a relation; none where there is no such relation. */
export function oidStatement(path: readonly string[]): Statement {
  const [schema, name] = path;
  return {
    parameters: [schema, name],
    sql: `
select c.oid::text
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relname = $2`,
  };
}

/** The schema of a relation under a publication, as one JSON text. */
export function schemaStatement(relation: number, publication: string): Statement {
  return {
    parameters: [relation, publication],
    sql: `
with recursive ${MEMBERS}, tables as (
  select c.*
  from members m
  join pg_class c on c.oid = m.id
), published (id) as (
  select p.relid::oid
  from pg_publication u
  cross join lateral pg_get_publication_tables(u.pubname) p
  where u.pubname = $2
)
select json_build_object(
  'oid', c.oid::bigint,
  'path', json_build_array(n.nspname, c.relname),
  'members', (select json_agg(m.id::bigint) from members m),
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
      where u.pubname = $2
        and coalesce(j ->> 'prqual', j ->> 'prattrs') is not null
    ) then 'filtered'
  end
)::text
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where c.oid = $1::oid`,
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
