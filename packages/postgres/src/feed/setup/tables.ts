/** A recursive query `types (relation, id)`: types of columns, and types within, at any depth. */
function shownTypes(relations: string): string {
  return `
  select a.attrelid, a.atttypid
  from pg_attribute a
  where a.attrelid in (${relations}) and a.attnum > 0 and not a.attisdropped
  union
  select t.relation, n.id
  from types t
  cross join lateral (
    select y.typbasetype from pg_type y where y.oid = t.id
    union all
    select y.typelem from pg_type y where y.oid = t.id
    union all
    select r.rngsubtype
    from pg_range r
    where t.id in (r.rngtypid, (to_jsonb(r) ->> 'rngmultitypid')::oid)
    union all
    select a.atttypid
    from pg_type y
    join pg_attribute a on a.attrelid = y.typrelid and a.attnum > 0
    where y.oid = t.id
  ) n (id)
  where n.id <> 0`;
}

/**
 * Relations whose values may change their text: `regclass` prints a table's current name, `aclitem`
 * roles', `money` the server's currency. Dates depend only on our session settings.
 */
const SHOWING_MORE_THAN_VALUES = `
  select t.relation
  from types t
  join pg_type y on y.oid = t.id
  join pg_proc f on f.oid = y.typoutput
  where y.typtype = 'b'
    and f.provolatile <> 'i'
    and f.proname not in (
      'array_out', 'date_out', 'timestamp_out', 'timestamptz_out', 'interval_out'
    )`;

interface Obstacle {
  /** A condition on `c`, a row of `pg_class`, in a query with its `types`. */
  readonly sql: string;
  /** Completes a message about the named table. */
  readonly text: (name: string) => string;
}

/** Why the change log does not determine what a table shows, in the order of checking. */
export const TABLE_OBSTACLES = {
  view: { sql: `c.relkind not in ('r', 'p', 'f')`, text: () => 'It is a view.' },
  foreign: {
    sql: `c.relkind = 'f'`,
    text: (name) => `${name} is a foreign table: its rows are on another server.`,
  },
  unlogged: {
    sql: `c.relpersistence <> 'p'`,
    text: (name) => `${name} is unlogged: its changes are not in the log.`,
  },
  /** Snapshots need PostgreSQL's own storage. */
  storage: {
    sql: `exists (select from pg_am m where m.oid = c.relam and m.amname <> 'heap')`,
    text: (name) => `${name} is stored in a way of an extension's.`,
  },
  /** Computed on read, by functions that may change. */
  virtual_columns: {
    sql: `exists (
      select
      from pg_attribute v
      where v.attrelid = c.oid and v.attnum > 0 and v.attgenerated = 'v'
    )`,
    text: (name) => `${name} has virtual columns, whose values are not in the log.`,
  },
  /** The text of a column, such as `regclass`, may change while the row does not. */
  shown_names: {
    sql: `c.oid in (${SHOWING_MORE_THAN_VALUES})`,
    text: (name) => `${name} has columns that show names of other objects, or money.`,
  },
  /** No obstacle for callers whom the database knows. */
  row_security: {
    sql: 'c.relrowsecurity',
    text: (name) => `${name} has row-level security: what it shows depends on who asks.`,
  },
} as const satisfies Readonly<Record<string, Obstacle>>;

export type TableObstacle = keyof typeof TABLE_OBSTACLES;

/** SQL: the name of `c`'s first obstacle; NULL for none. */
const FIRST_OBSTACLE = Object.entries(TABLE_OBSTACLES)
  .map(([name, { sql }]) => `when ${sql} then '${name}'`)
  .join('\n    ');

export const MEMBERS = 'select id from members';

/**
 * Begins a query about a publication, `$1`, and relations, `$2`: a JSON array of paths. A
 * relation's members are itself, its partitions and inheriting tables at any depth. Columns that
 * older catalogues lack come from a row's JSON, where they are absent.
 *
 * Deferrable and invalid indexes identify no row, nor do those over generated columns, which the
 * change log lacks:
 * https://www.postgresql.org/docs/current/sql-altertable.html#SQL-ALTERTABLE-REPLICA-IDENTITY
 *
 * @param described SQL of the tables to describe: of `members`, or `published` ones too
 */
export function tablesOf(described: string): string {
  return `
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
), published (id) as (
  select t.relid::oid
  from publications p
  cross join lateral pg_get_publication_tables(p.pubname) t
), types (relation, id) as (
  ${shownTypes(described)}
), tables as (
  select
    c.oid as id,
    array[n.nspname, c.relname] as path,
    format('%I.%I', n.nspname, c.relname) as name,
    quote_ident(pg_get_userbyid(c.relowner)) as owner,
    c.reltuples,
    case c.relkind
      when 'r' then 'table'
      when 'p' then 'partitioned'
      when 'f' then 'foreign'
      else 'view'
    end as kind,
    exists (select from pg_inherits h where h.inhparent = c.oid) as "hasChildren",
    case
    ${FIRST_OBSTACLE}
    end as obstacle,
    case c.relreplident
      when 'f' then 'full'
      when 'd' then case when x.has_key then 'key' end
      when 'i' then case when x.has_index then 'index' end
    end as identity,
    x.candidate,
    c.oid in (select id from published) as "isPublished",
    to_jsonb(p) ->> 'prqual' is not null as "hasRowFilter",
    to_jsonb(p) ->> 'prattrs' is not null as "hasColumnList"
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  left join pg_publication_rel p
    on p.prrelid = c.oid and p.prpubid in (select oid from publications)
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
  where c.oid in (${described})
)`;
}
