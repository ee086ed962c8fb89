import type { RelationPath, Statement } from '@proj/engine/database';

import type { Row } from '../../connection/connection.ts';
import type { FeedFacts } from './facts.ts';
import { TABLES } from './tables-query.ts';

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

const IDENTITY = `
  concat_ws(' ', extract(epoch from pg_postmaster_start_time()), current_database())`;

/** Its only value equals the `identity` of {@link FeedFacts} on the same server. */
export const SERVER_IDENTITY: Statement = { sql: `select ${IDENTITY}`, parameters: [] };

const REQUIREMENTS = `
${TABLES}
select json_build_object(
  'server', json_build_object(
    'version', current_setting('server_version_num')::int,
    'isStandby', pg_is_in_recovery(),
    'identity', ${IDENTITY},
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
              'name', t.full_name,
              'isNamed', exists (
                select from pg_publication_rel r where r.prpubid = p.oid and r.prrelid = t.id
              )
            )
            order by t.full_name
          ),
          '[]'
        )
        from tables t
        where t.is_published and t.kind = 'table' and t.identity is null
      )
    )
    from publications p
  ),
  'relations', (
    select coalesce(json_agg(r.facts order by r.facts ->> 'name'), '[]')
    from (
      select json_build_object(
        'path', json_build_array(min(r.schema), min(r.name)),
        'name', min(r.full_name),
        'estimatedRows',
          coalesce(sum(greatest(t.reltuples, 0)) filter (where t.kind = 'table'), 0),
        'tables', json_agg(
          json_build_object(
            'name', t.full_name,
            'owner', quote_ident(t.owner),
            'kind', t.kind,
            'hasChildren', t.has_children,
            'obstacle', t.obstacle,
            'identity', t.identity,
            'candidate', t.candidate,
            'isPublished', t.is_published,
            'hasRowFilter', t.has_row_filter,
            'hasColumnList', t.has_column_list
          )
          order by t.full_name
        )
      ) as facts
      from members m
      join tables r on r.id = m.relation
      join tables t on t.id = m.id
      group by m.relation
    ) r
  )
)::text`;
