import { type Expression, oneLine } from '@proj/engine/database';
import { sql } from 'kysely';

/**
 * Servers share transaction numbers. Read by each statement, since connections outlive promotions,
 * and poolers and balancers switch servers. A crash may lose commits but keep the start time;
 * statistics begin anew then, which were slow to read before PostgreSQL 15. Without the timeline:
 * only a promotion changes it, and a standby follows another only where it has replayed no more.
 */
export const INSTANCE = `concat_ws(
    ' ',
    extract(epoch from pg_postmaster_start_time()),
    case
      when current_setting('server_version_num')::int >= 150000
      then extract(epoch from pg_stat_get_bgwriter_stat_reset_time())
    end,
    case when pg_is_in_recovery() then 'standby' else 'primary' end
  )`;

/**
 * The server, and the transactions finished in the snapshot. Standbys don't list running ones, so
 * they have versions only while none runs; the server may have been promoted since the snapshot.
 */
export const SNAPSHOT_VERSION_TEXT: string = oneLine(`
  case
    when pg_snapshot_xmin(pg_current_snapshot()) = pg_snapshot_xmax(pg_current_snapshot())
      or pg_current_snapshot()::text not like '%:'
    then concat_ws(' ', ${INSTANCE.replaceAll(/\s+/g, ' ')}, pg_current_snapshot())
  end`);

export const SNAPSHOT_VERSION: Expression = sql.raw(SNAPSHOT_VERSION_TEXT);

/** A role's rights and memberships: plans keep the policies of the time they were made. */
export function roleState(name: string): string {
  return oneLine(`(
    select concat_ws(' ', own.rolsuper, own.rolbypassrls, own.rolinherit, (${memberships('own.oid')}
      select string_agg(concat_ws('/', h.id, h.since, r.rolinherit), ',' order by h.id, h.since)
      from held h
      join pg_roles r on r.oid = h.id
    ))
    from pg_roles own
    where own.rolname = ${name}
  )`);
}

/** A `with` clause: the memberships of a role, at any depth. */
export function memberships(id: string): string {
  return `
    with recursive held (id, since) as (
      select m.roleid, m.xmin::text from pg_auth_members m where m.member = ${id}
      union
      select m.roleid, m.xmin::text from held h join pg_auth_members m on m.member = h.id
    )`;
}
