import { oneLine } from '@proj/engine/database';
import { type RawBuilder, sql } from 'kysely';

/**
 * Which server answers, since when, and whether it is a standby: the transactions of two servers
 * have the same numbers. It is read with each statement, since a connection outlives a promotion,
 * and a pooler or a balancer may lead to another server. When a backend crashes, the server starts
 * anew under its old start time and may have lost commits; its statistics begin anew then, which
 * before PostgreSQL 15 were slow to read.
 *
 * A timeline has no part in it: a server changes its own only by a promotion, and a standby
 * follows another only where it has replayed nothing that the other lacks. Nor has the identifier
 * of the cluster, which standbys have in common.
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
 * Equal only if two statements saw the same committed data: which server answered, and which
 * transactions the snapshot takes for finished. A standby does not list those that run, so that
 * it has a version only while none does. The list is asked and not the server, which may have
 * been promoted since the snapshot was taken.
 */
export const SNAPSHOT_VERSION_TEXT: string = oneLine(`
  case
    when pg_snapshot_xmin(pg_current_snapshot()) = pg_snapshot_xmax(pg_current_snapshot())
      or pg_current_snapshot()::text not like '%:'
    then concat_ws(' ', ${INSTANCE.replaceAll(/\s+/g, ' ')}, pg_current_snapshot())
  end`);

export const SNAPSHOT_VERSION: RawBuilder<unknown> = sql.raw(SNAPSHOT_VERSION_TEXT);
