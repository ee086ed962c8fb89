import type { Statement } from '@proj/engine/database';

import type { Row } from '../../connection/connection.ts';
import { INSTANCE } from '../../states/version.ts';
import { type Lsn, parseLsn } from '../../log/lsn.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';

/** Which server answers, since when, and in which database. */
export const DATABASE_INSTANCE = `concat_ws(
    ' ',
    ${INSTANCE},
    (select oid from pg_database where datname = current_database())
  )`;

/** The subquery hides the number of oids from the planner, which would replan each time. */
const MEMBERS = '(select $3::oid[])::oid[]';
const COLUMN_TYPES = '(select $5::oid[])::oid[]';

/** Schemas can be published since PostgreSQL 15. */
const FIRST_WITH_PUBLISHED_SCHEMAS = 150_000;

export interface StampedParts {
  readonly oid: number;
  readonly schema: number;
  /** Oids of all tables with its rows, and of partitioned ones between. */
  readonly members: readonly number[];
  /** Oids of its columns' types, and of types in these, unless built in. */
  readonly types: readonly number[];
}

/**
 * What a read records in its snapshot: visible transactions, the log position after it, the server,
 * and a hash of all that changes what a relation shows or a filter selects without changing a row:
 * files, columns, indexes, constraints, types with their operators and functions, partitions,
 * schema names, publications. Members and types are not searched again: adding one changes the
 * catalogue row of a listed one.
 *
 * The hash has each catalogue row's `xmin` and `xmax`. A changed publication applies from its
 * commit record on, but snapshots see its new row only after a synchronous standby has confirmed.
 * The old row's `xmax` shows it earlier.
 *
 * @param serverVersion such as 150004
 */
export function stampStatement(
  { oid, schema, members, types }: StampedParts,
  publication: string,
  serverVersion: number,
): Statement {
  const parameters = [oid, schema, array(members), publication];
  return {
    parameters: types.length === 0 ? parameters : [...parameters, array(types)],
    sql: `
select
  pg_current_snapshot()::text,
  case when pg_is_in_recovery() then '0/0' else pg_current_wal_insert_lsn()::text end,
  ${DATABASE_INSTANCE},
  encode(sha256(convert_to(concat(
    (
      select string_agg(
        concat_ws(' ', c.oid, c.xmin, c.xmax, c.relfilenode), ',' order by c.oid
      )
      from pg_class c
      where c.oid = any(${MEMBERS})
    ),
    '|', (
      select string_agg(
        concat_ws(' ', i.inhrelid, i.inhparent, i.xmin, i.xmax), ','
        order by i.inhparent, i.inhrelid
      )
      from pg_inherits i
      where i.inhparent = any(${MEMBERS})
    ),
    '|', (
      select string_agg(concat_ws(' ', a.attnum, a.xmin, a.xmax), ',' order by a.attnum)
      from pg_attribute a
      where a.attrelid = $1::oid and a.attnum > 0
    ),
    '|', (
      select string_agg(concat_ws(' ', i.indexrelid, i.xmin, i.xmax), ',' order by i.indexrelid)
      from pg_index i
      where i.indrelid = any(${MEMBERS})
    ),
    '|', (
      select string_agg(concat_ws(' ', k.oid, k.xmin, k.xmax), ',' order by k.oid)
      from pg_constraint k
      where k.conrelid = any(${MEMBERS})
    ),
    '|', (
      select concat_ws(' ', n.oid, n.xmin, n.xmax)
      from pg_namespace n
      where n.oid = $2::oid
    ),
    '|', (
      select concat_ws(' ', p.oid, p.xmin, p.xmax)
      from pg_publication p
      where p.pubname = $4
    ),
    '|', (
      select string_agg(concat_ws(' ', p.oid, p.xmin, p.xmax), ',' order by p.oid)
      from pg_publication_rel p
      where p.prrelid = any(${MEMBERS})
    )${serverVersion >= FIRST_WITH_PUBLISHED_SCHEMAS ? PUBLISHED_SCHEMAS : ''}${
      types.length === 0 ? '' : TYPES
    }
  ), 'UTF8')), 'hex')`,
  };
}

const PUBLISHED_SCHEMAS = `,
    '|', (
      select string_agg(concat_ws(' ', p.oid, p.xmin, p.xmax), ',' order by p.oid)
      from pg_publication_namespace p
      where p.pnnspid in (select c.relnamespace from pg_class c where c.oid = any(${MEMBERS}))
    )`;

const TYPES = `,
    '|', (
      select string_agg(concat_ws(' ', y.oid, y.xmin, y.xmax), ',' order by y.oid)
      from pg_type y
      where y.oid = any(${COLUMN_TYPES})
    ),
    '|', (
      select string_agg(concat_ws(' ', e.oid, e.xmin, e.xmax), ',' order by e.oid)
      from pg_enum e
      where e.enumtypid = any(${COLUMN_TYPES})
    ),
    '|', (
      select string_agg(
        concat_ws(' ', a.attrelid, a.attnum, a.xmin, a.xmax), ','
        order by a.attrelid, a.attnum
      )
      from pg_type y
      join pg_attribute a on a.attrelid = y.typrelid and a.attnum > 0
      where y.oid = any(${COLUMN_TYPES})
    ),
    '|', (
      select string_agg(concat_ws(' ', k.oid, k.xmin, k.xmax), ',' order by k.oid)
      from pg_cast k
      where k.castsource = any(${COLUMN_TYPES}) or k.casttarget = any(${COLUMN_TYPES})
    ),
    '|', (
      select string_agg(concat_ws(' ', o.oid, o.xmin, o.xmax), ',' order by o.oid)
      from pg_operator o
      where o.oprleft = any(${COLUMN_TYPES}) or o.oprright = any(${COLUMN_TYPES})
    ),
    '|', (
      select string_agg(concat_ws(' ', f.oid, f.xmin, f.xmax), ',' order by f.oid)
      from pg_proc f
      where f.oid in (${functionsOf(`any(${COLUMN_TYPES})`)})
    )`;

/** Oids of functions that read, print, cast and compare; `types` is SQL that an oid equals. */
export function functionsOf(types: string): string {
  return `
    select unnest(array[own.typinput, own.typoutput]::oid[])
    from pg_type own
    where own.oid = ${types}
    union all
    select own.castfunc
    from pg_cast own
    where own.castsource = ${types} or own.casttarget = ${types}
    union all
    select own.oprcode::oid
    from pg_operator own
    where own.oprleft = ${types} or own.oprright = ${types}
    union all
    select own.amproc::oid
    from pg_amproc own
    where own.amproclefttype = ${types} or own.amprocrighttype = ${types}`;
}

function array(oids: readonly number[]): string {
  return `{${oids.join(',')}}`;
}

export interface Stamp {
  readonly snapshot: TransactionSnapshot;
  /** Every commit that the snapshot sees is in the log before this position. */
  readonly insertLsn: Lsn;
  readonly instance: string;
  readonly fingerprint: string;
  /** Whether the shown rows are still decided alike; true where they are all rows. */
  readonly showsSame: boolean;
}

export function stampOf([snapshot, lsn, instance, fingerprint, showsSame = 'true']: Row): Stamp {
  return {
    snapshot: TransactionSnapshot.parse(snapshot ?? ''),
    insertLsn: parseLsn(lsn ?? ''),
    instance: instance ?? '',
    fingerprint: fingerprint ?? '',
    showsSame: showsSame === 'true',
  };
}

const SCHEMAS = `
  , '|', (
    select string_agg(concat_ws(' ', s.oid, s.xmin, s.xmax), ',' order by s.oid)
    from pg_publication_namespace s
    where s.pnpubid = p.oid
  )`;

/**
 * Changes whenever the publication does. Then a new slot is created, after all transactions that
 * wrote before have ended: the old slot's decoder may believe that a table is still unpublished for
 * them, and leave out its changes.
 */
export function publicationState(publication: string, serverVersion: number): Statement {
  return {
    parameters: [publication],
    sql: `
select concat(
  p.oid, ' ', p.xmin, ' ', p.xmax,
  '|', (
    select string_agg(concat_ws(' ', r.oid, r.xmin, r.xmax), ',' order by r.oid)
    from pg_publication_rel r
    where r.prpubid = p.oid
  )${serverVersion >= FIRST_WITH_PUBLISHED_SCHEMAS ? SCHEMAS : ''}
)
from pg_publication p
where p.pubname = $1`,
  };
}
