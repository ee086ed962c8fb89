import { FIRST_OBSTACLE, shownTypes } from './table-obstacles.ts';

/**
 * Begins a query about a publication, `$1`, and relations, `$2`: a JSON array of paths.
 *
 * A relation's members are itself, its partitions and inheriting tables at any depth. Columns that
 * older catalogues lack come from a row's JSON, where they are absent.
 *
 * Deferrable and invalid indexes identify no row, nor do those over generated columns, which the
 * change log lacks:
 * https://www.postgresql.org/docs/current/sql-altertable.html#SQL-ALTERTABLE-REPLICA-IDENTITY
 */
export const TABLES = `
with recursive members (relation, id) as (
  select c.oid, c.oid
  from json_array_elements($2::json) p
  join pg_namespace n on n.nspname = p ->> 0
  join pg_class c on c.relnamespace = n.oid and c.relname = p ->> 1
  union
  select m.relation, i.inhrelid
  from members m
  join pg_inherits i on i.inhparent = m.id
), publications as (
  select p.*, to_jsonb(p) as json
  from pg_publication p
  where p.pubname = $1::text
), published as (
  select c.oid as id, bool_or(to_jsonb(t) ->> 'rowfilter' is not null) as has_row_filter
  from pg_publication_tables t
  join pg_namespace n on n.nspname = t.schemaname
  join pg_class c on c.relnamespace = n.oid and c.relname = t.tablename
  where t.pubname = $1
  group by c.oid
), types (relation, id) as (
  ${shownTypes('select id from members union select id from published')}
), tables as (
  select
    c.oid as id,
    n.nspname as schema,
    c.relname as name,
    format('%I.%I', n.nspname, c.relname) as full_name,
    pg_get_userbyid(c.relowner) as owner,
    c.reltuples,
    case c.relkind
      when 'r' then 'table'
      when 'p' then 'partitioned'
      when 'f' then 'foreign'
      else 'view'
    end as kind,
    exists (select from pg_inherits h where h.inhparent = c.oid) as has_children,
    ${FIRST_OBSTACLE} as obstacle,
    case c.relreplident
      when 'f' then 'full'
      when 'd' then case when x.has_key then 'key' end
      when 'i' then case when x.has_index then 'index' end
    end as identity,
    x.candidate,
    p.id is not null as is_published,
    coalesce(p.has_row_filter, false) as has_row_filter,
    exists (
      select
      from pg_publication_rel r
      join publications o on o.oid = r.prpubid
      where r.prrelid = c.oid and to_jsonb(r) ->> 'prattrs' is not null
    ) as has_column_list
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  left join published p on p.id = c.oid
  cross join lateral (
    select
      bool_or(i.indisprimary) as has_key,
      bool_or(i.indisreplident) as has_index,
      min(quote_ident(x.relname)) filter (where not a.nullable) as candidate
    from pg_index i
    join pg_class x on x.oid = i.indexrelid
    cross join lateral (
      select
        bool_or(not a.attnotnull) as nullable,
        bool_or(to_jsonb(a) ->> 'attgenerated' <> '') as generated
      from unnest(i.indkey::int2[]) with ordinality k (attnum, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
      where k.place <= i.indnkeyatts
    ) a
    where i.indrelid = c.oid
      and i.indisunique
      and i.indisvalid
      and i.indimmediate
      and i.indpred is null
      and i.indexprs is null
      and not a.generated
  ) x
  where c.oid in (select id from members union select id from published)
)`;
