import type { Statement } from '@proj/engine/database';

import type { Row } from '../../connection/connection.ts';
import { type Lsn, parseLsn } from '../../log/lsn.ts';
import { TransactionSnapshot } from '../../log/snapshot.ts';
import { DATABASE_INSTANCE } from '../setup/requirements.ts';

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
