import type { Statement } from '@proj/engine/database';

import type { Row } from '../../connection/connection.ts';
import { type Lsn, parseLsn, type WalLayout } from '../../log/lsn.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';
import { DATABASE_INSTANCE } from '../relations/stamp.ts';

export interface FollowedServerFacts {
  /** The process that answers: behind a pooler not the connection's. */
  readonly backend: number;
  readonly instance: string;
  /** Begins anew after a crash, which the instance shows since PostgreSQL 15. */
  readonly statisticsBegan: string;
  /** As in server_version_num, such as 150014. */
  readonly version: number;
  readonly layout: WalLayout;
  readonly xid: bigint;
}

export const SERVER_FACTS: Statement = {
  parameters: [],
  sql: `
select
  pg_backend_pid()::text,
  ${DATABASE_INSTANCE},
  current_setting('server_version_num'),
  current_setting('wal_block_size'),
  pg_size_bytes(current_setting('wal_segment_size'))::text,
  pg_snapshot_xmax(pg_current_snapshot())::text,
  extract(epoch from pg_stat_get_bgwriter_stat_reset_time())::text`,
};

export function serverFactsOf(row: Row): FollowedServerFacts {
  const [backend, instance, version, pageSize, segmentSize, xid, began] = row;
  return {
    backend: Number(backend),
    instance: instance ?? '',
    statisticsBegan: began ?? '',
    version: Number(version),
    layout: { pageSize: BigInt(pageSize ?? 0), segmentSize: BigInt(segmentSize ?? 0) },
    xid: BigInt(xid ?? 0),
  };
}

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
