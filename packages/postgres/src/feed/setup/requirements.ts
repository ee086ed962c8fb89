import type { RelationPath, Statement } from '@proj/engine/database';

import type { Row } from '../../connection/connection.ts';
import { MEMBERS, type TableObstacle, tablesOf } from './tables.ts';
import { type Lsn, parseLsn, type WalLayout } from '../../log/lsn.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';
import { INSTANCE } from '../../states/version.ts';

export interface FeedFacts {
  readonly server: ServerFacts;
  readonly role: {
    readonly name: string;
    readonly mayReplicate: boolean;
  };
  /** The requested name, quoted like all names of roles and tables below. */
  readonly publicationName: string;
  readonly publication: PublicationFacts | null;
  readonly relations: readonly RelationFacts[];
}

export interface ServerFacts extends WalLayout {
  /** As in server_version_num, such as 150014. */
  readonly version: number;
  readonly isStandby: boolean;
  /** Equal only for the same database of the same running server. */
  readonly instance: string;
  /** Begins anew after a crash, which the instance shows since PostgreSQL 15. */
  readonly statisticsBegan: string | null;
  /** The process that answers: behind a pooler not the connection's. */
  readonly backend: number;
  /** All transactions before this one have begun. */
  readonly xid: string;
  /** `minimal`, `replica` or `logical`. */
  readonly walLevel: string;
  readonly replicationSlots: { readonly used: number; readonly max: number };
  readonly walSenders: { readonly used: number; readonly max: number };
  /** Such as `-1` or `1GB`. */
  readonly maxSlotWalKeepSize: string;
  /** Such as `1min`, or `0` for none. */
  readonly walSenderTimeout: string;
}

export interface PublicationFacts {
  readonly owner: string;
  /** Whether it includes unnamed tables: all of them, or a schema's. */
  readonly isOpen: boolean;
  /** Of insert, update, delete and truncate. */
  readonly missingOperations: readonly string[];
  readonly viaPartitionRoot: boolean;
  /** Published tables without a replica identity, whose UPDATE and DELETE the server refuses. */
  readonly unidentified: readonly {
    readonly name: string;
    /** Whether the publication names it, rather than a table above it. */
    readonly isNamed: boolean;
  }[];
}

export interface RelationFacts {
  readonly path: readonly [schema: string, name: string];
  readonly name: string;
  /** The planner's estimate; 0 where nobody has counted. */
  readonly estimatedRows: number;
  readonly tables: readonly TableFacts[];
}

/** Marks relations that are followed for callers whom the database knows, by the paths `shown`. */
export function withCallers(
  relations: readonly RelationFacts[],
  shown: readonly RelationPath[],
): RelationFacts[] {
  const paths = new Set(shown.map((path) => JSON.stringify(path)));
  return relations.map((relation) => {
    if (!paths.has(JSON.stringify(relation.path))) return relation;
    const tables = relation.tables.map((table) =>
      table.obstacle === 'row_security' ? { ...table, obstacle: null } : table,
    );
    return { ...relation, tables };
  });
}

export interface TableFacts {
  readonly name: string;
  readonly owner: string;
  /** A partitioned table holds no rows itself. */
  readonly kind: 'table' | 'partitioned' | 'foreign' | 'view';
  readonly hasChildren: boolean;
  /** Why the change log does not say what it shows; null where it does. */
  readonly obstacle: TableObstacle | null;
  /** By what the log identifies changed rows; `full` is all old values, null nothing. */
  readonly identity: 'key' | 'index' | 'full' | null;
  /** A unique index that could be the replica identity. */
  readonly candidate: string | null;
  readonly isPublished: boolean;
  readonly hasRowFilter: boolean;
  readonly hasColumnList: boolean;
}

/** Unless the settings name another. */
export const DEFAULT_PUBLICATION = 'dynamic_query';

/** For {@link feedFactsOf}; PostgreSQL 13 and later. */
export function feedRequirements(
  publication: string,
  relations: readonly RelationPath[],
): Statement {
  return { sql: REQUIREMENTS, parameters: [publication, JSON.stringify(relations)] };
}

export function feedFactsOf([text]: Row): FeedFacts {
  return JSON.parse(text ?? '') as FeedFacts;
}

/** Which server answers, since when, and in which database. */
export const DATABASE_INSTANCE = `concat_ws(
    ' ',
    ${INSTANCE},
    (select oid from pg_database where datname = current_database())
  )`;

/** Its only value equals the `instance` of {@link FeedFacts} on the same server. */
export const SERVER_INSTANCE: Statement = { sql: `select ${DATABASE_INSTANCE}`, parameters: [] };

const REQUIREMENTS = `
${tablesOf(`${MEMBERS} union select id from published`)}
select json_build_object(
  'server', json_build_object(
    'version', current_setting('server_version_num')::int,
    'isStandby', pg_is_in_recovery(),
    'instance', ${DATABASE_INSTANCE},
    'statisticsBegan', extract(epoch from pg_stat_get_bgwriter_stat_reset_time())::text,
    'backend', pg_backend_pid(),
    'xid', pg_snapshot_xmax(pg_current_snapshot())::text,
    'pageSize', current_setting('wal_block_size')::int,
    'segmentSize', pg_size_bytes(current_setting('wal_segment_size')),
    'walLevel', current_setting('wal_level'),
    'replicationSlots', json_build_object(
      'used', (select count(*) from pg_replication_slots),
      'max', current_setting('max_replication_slots')::int
    ),
    'walSenders', json_build_object(
      'used', (select count(*) from pg_stat_replication),
      'max', current_setting('max_wal_senders')::int
    ),
    'maxSlotWalKeepSize', current_setting('max_slot_wal_keep_size'),
    'walSenderTimeout', current_setting('wal_sender_timeout')
  ),
  'role', (
    select json_build_object(
      'name', quote_ident(r.rolname),
      'mayReplicate', r.rolreplication or r.rolsuper
    )
    from pg_roles r
    where r.rolname = current_user
  ),
  'publicationName', quote_ident($1),
  'publication', (
    select json_build_object(
      'owner', quote_ident(pg_get_userbyid(p.pubowner)),
      'isOpen', p.puballtables or exists (
        select
        from published o
        where not exists (
          select
          from pg_publication_rel r
          where r.prpubid = p.oid
            and (r.prrelid = o.id or r.prrelid in (select relid from pg_partition_ancestors(o.id)))
        )
      ),
      'missingOperations', (
        select coalesce(json_agg(o.name), '[]')
        from (values ('insert'), ('update'), ('delete'), ('truncate')) o (name)
        where p.json ->> ('pub' || o.name) is distinct from 'true'
      ),
      'viaPartitionRoot', coalesce((p.json ->> 'pubviaroot')::boolean, false),
      'unidentified', (
        select coalesce(
          json_agg(
            json_build_object(
              'name', t.name,
              'isNamed', exists (
                select from pg_publication_rel r where r.prpubid = p.oid and r.prrelid = t.id
              )
            )
            order by t.name
          ),
          '[]'
        )
        from tables t
        where t."isPublished" and t.kind = 'table' and t.identity is null
      )
    )
    from publications p
  ),
  'relations', (
    select coalesce(json_agg(r.facts order by r.facts ->> 'name'), '[]')
    from (
      select json_build_object(
        'path', r.path,
        'name', r.name,
        'estimatedRows',
          coalesce(sum(greatest(t.reltuples, 0)) filter (where t.kind = 'table'), 0),
        'tables', json_agg(t order by t.name)
      ) as facts
      from members m
      join tables r on r.id = m.relation
      join tables t on t.id = m.id
      group by r.path, r.name
    ) r
  )
)::text`;

export interface FeedMeasurement {
  readonly instance: string;
  readonly snapshot: TransactionSnapshot;
  readonly insertLsn: Lsn;
  /** Log that the server keeps for the feed; undefined without a slot. */
  readonly heldBackBytes: number | undefined;
  readonly sender: number;
}

export function measurementStatement(slot: string): Statement {
  return {
    parameters: [slot],
    sql: `
select
  ${DATABASE_INSTANCE},
  pg_current_snapshot()::text,
  pg_current_wal_insert_lsn()::text,
  s.held_back,
  s.active_pid
from (values (1)) one
left join lateral (
  select pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::text, active_pid::text
  from pg_replication_slots
  where slot_name = $1
) s (held_back, active_pid) on true`,
  };
}

export function measurementOf([instance, snapshot, lsn, heldBack, sender]: Row): FeedMeasurement {
  return {
    instance: instance ?? '',
    snapshot: TransactionSnapshot.parse(snapshot ?? ''),
    insertLsn: parseLsn(lsn ?? ''),
    heldBackBytes: heldBack === null || heldBack === undefined ? undefined : Number(heldBack),
    sender: Number(sender ?? 0),
  };
}
