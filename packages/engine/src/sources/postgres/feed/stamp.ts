import type { Statement } from '../../../sql/statement.ts';
import type { Row } from '../connection.ts';
import { type Lsn, parseLsn } from './lsn.ts';
import { TransactionSnapshot } from './snapshot.ts';

/**
 * Which server answers, since when, and in which database. When a backend crashes, the server
 * starts anew under its old start time; its statistics begin anew then.
 */
export const INSTANCE = `concat_ws(
    ' ',
    extract(epoch from pg_postmaster_start_time()),
    case
      when current_setting('server_version_num')::int >= 150000
      then extract(epoch from pg_stat_get_bgwriter_stat_reset_time())
    end,
    case when pg_is_in_recovery() then 'standby' else 'primary' end,
    (select oid from pg_database where datname = current_database())
  )`;

/** A relation with all that inherit from it, partitions of partitions too. */
export const MEMBERS = `members (id) as (
  select $1::oid
  union
  select i.inhrelid
  from members m
  join pg_inherits i on i.inhparent = m.id
)`;

/** Schemas can be published since PostgreSQL 15. */
export const FIRST_WITH_PUBLISHED_SCHEMAS = 150_000;

const PUBLISHED_SCHEMAS = `,
    '|', (
      select string_agg(concat_ws(' ', p.oid, p.xmin, p.xmax), ',' order by p.oid)
      from pg_publication_namespace p
      where p.pnnspid in (
        select c.relnamespace from members m join pg_class c on c.oid = m.id
      )
    )`;

/**
 * What a read takes down in its own snapshot: which transactions it sees, how far the log went
 * after that, which server answered, and a hash of all that changes what a relation shows without
 * changing a row: files, columns, types, partitions, the names of its schema, policies and
 * publications.
 *
 * A row of the system catalogues counts with its `xmin`, and with its `xmax` too: a publication
 * that was changed counts for the log from the commit record on, though the change may be invisible
 * as long as a synchronous standby has not confirmed it.
 *
 * @param relation the oid of the relation
 * @param serverVersion such as 150004
 */
export function stampStatement(
  relation: number,
  publication: string,
  serverVersion: number,
): Statement {
  return {
    parameters: [relation, publication],
    sql: `
with recursive ${MEMBERS}, types (id) as (
  select a.atttypid
  from pg_attribute a
  where a.attrelid = $1::oid and a.attnum > 0 and a.atttypid >= ${FIRST_OF_USERS}
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
)
select
  pg_current_snapshot()::text,
  case when pg_is_in_recovery() then '0/0' else pg_current_wal_insert_lsn()::text end,
  ${INSTANCE},
  encode(sha256(convert_to(concat(
    (
      select string_agg(
        concat_ws(' ', c.oid, c.xmin, c.xmax, c.relfilenode), ',' order by c.oid
      )
      from members m
      join pg_class c on c.oid = m.id
    ),
    '|', (
      select concat_ws(' ', n.oid, n.xmin, n.xmax)
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.oid = $1::oid
    ),
    '|', (
      select string_agg(
        concat_ws(' ', i.inhrelid, i.inhparent, i.xmin, i.xmax), ','
        order by i.inhparent, i.inhrelid
      )
      from members m
      join pg_inherits i on i.inhparent = m.id
    ),
    '|', (
      select string_agg(concat_ws(' ', a.attnum, a.xmin, a.xmax), ',' order by a.attnum)
      from pg_attribute a
      where a.attrelid = $1::oid and a.attnum > 0
    ),
    '|', (
      select string_agg(concat_ws(' ', y.oid, y.xmin, y.xmax), ',' order by y.oid)
      from types t
      join pg_type y on y.oid = t.id
    ),
    '|', (
      select string_agg(concat_ws(' ', e.oid, e.xmin, e.xmax), ',' order by e.oid)
      from types t
      join pg_enum e on e.enumtypid = t.id
    ),
    '|', (
      select string_agg(
        concat_ws(' ', a.attrelid, a.attnum, a.xmin, a.xmax), ','
        order by a.attrelid, a.attnum
      )
      from types t
      join pg_type y on y.oid = t.id
      join pg_attribute a on a.attrelid = y.typrelid and a.attnum > 0
    ),
    '|', (
      select string_agg(concat_ws(' ', k.oid, k.xmin, k.xmax, f.xmin, f.xmax), ',' order by k.oid)
      from types t
      join pg_cast k on k.castsource = t.id
      left join pg_proc f on f.oid = k.castfunc
    ),
    '|', (
      select string_agg(concat_ws(' ', p.oid, p.xmin, p.xmax), ',' order by p.oid)
      from members m
      join pg_policy p on p.polrelid = m.id
    ),
    '|', (
      select concat_ws(' ', p.oid, p.xmin, p.xmax)
      from pg_publication p
      where p.pubname = $2
    ),
    '|', (
      select string_agg(concat_ws(' ', p.oid, p.xmin, p.xmax), ',' order by p.oid)
      from members m
      join pg_publication_rel p on p.prrelid = m.id
    )${serverVersion >= FIRST_WITH_PUBLISHED_SCHEMAS ? PUBLISHED_SCHEMAS : ''}
  ), 'UTF8')), 'hex')`,
  };
}

/** System objects, which nobody changes, have smaller oids. */
const FIRST_OF_USERS = 16_384;

/** What a read took down. */
export interface Stamp {
  readonly snapshot: TransactionSnapshot;
  /** Whatever the snapshot sees was in the log by here. */
  readonly insertLsn: Lsn;
  readonly instance: string;
  readonly fingerprint: string;
}

export function stampOf([snapshot, lsn, instance, fingerprint]: Row): Stamp {
  return {
    snapshot: TransactionSnapshot.parse(snapshot ?? ''),
    insertLsn: parseLsn(lsn ?? ''),
    instance: instance ?? '',
    fingerprint: fingerprint ?? '',
  };
}
