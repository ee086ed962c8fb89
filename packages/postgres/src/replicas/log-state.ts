import { hash } from 'node:crypto';

import {
  type LogState,
  type ServerLog,
  SettingsError,
  type Statement,
} from '@proj/engine/database';

import { type Lsn, parseLsn } from '../log/lsn.ts';
import type { AskRow, Row } from '../connection/connection.ts';
import type { ServerFinding } from '../connection/server-proof.ts';
import { TransactionSnapshot } from '../log/snapshot.ts';
import { INSTANCE } from '../states/version.ts';

type ComparedStates = Parameters<NonNullable<ServerLog['isShownByPrimary']>>[0];

export function serverLog(ask: AskRow, { gap }: ServerFinding): ServerLog {
  return {
    positions: LSN_POSITIONS,
    state: async () => {
      if (gap !== undefined)
        throw new SettingsError(`its server has no log that can be relied on: ${gap}.`);
      return logStateOf(await ask(LOG_STATE));
    },
    isShownByPrimary: async (states) => {
      const running = runningOnPrimary(states);
      if (running === undefined || running.length === 0) return running !== undefined;
      const [committed] = await ask(anyCommitted(running));
      return committed === 'false';
    },
  };
}

/**
 * A primary gives the insert position: a visible commit's record is before it. A standby gives its
 * receiver's timeline to roles with `pg_read_all_stats`, and to others its control file's, which
 * lags until the next restart point.
 */
const LOG_STATE: Statement = {
  parameters: [],
  sql: `
  select
    (select system_identifier::text from pg_catalog.pg_control_system()),
    ${INSTANCE},
    pg_is_in_recovery()::text,
    case
      when pg_is_in_recovery() then coalesce(
        (select received_tli from pg_catalog.pg_stat_wal_receiver),
        (
          select greatest(c.timeline_id, r.min_recovery_end_timeline)
          from pg_catalog.pg_control_checkpoint() as c, pg_catalog.pg_control_recovery() as r
        )
      )::text
      else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int::text
    end,
    case
      when pg_is_in_recovery() then pg_last_wal_replay_lsn()
      else pg_current_wal_insert_lsn()
    end::text,
    case
      when pg_is_in_recovery() and exists (select pid from pg_catalog.pg_stat_wal_receiver)
      then pg_last_wal_receive_lsn()
    end::text,
    case when not pg_is_in_recovery() then pg_current_wal_flush_lsn() end::text,
    (extract(epoch from current_setting('wal_writer_delay')::interval) * 1000)::int::text,
    pg_current_snapshot()::text`,
};

/** An asynchronous commit is on disk after this many times `wal_writer_delay`. */
const FLUSH_DELAYS = 3;

/**
 * A standby shows a commit just before its position moves, unless all that was received is applied.
 *
 * @throws {Error} when the server has replayed nothing yet
 */
export function logStateOf(row: Row): LogState {
  const [cluster, server, inRecovery, timeline, lsn, received, flushed, delayMs, transactions] =
    row;
  if (typeof lsn !== 'string') throw new Error('The server has no position in a log.');
  const log = `${timeline}.${hash('sha256', String(cluster), 'base64url').slice(0, 8)}`;
  const [applied, isReplica] = [parseLsn(lsn), inRecovery === 'true'];
  const mayBeBeyond = isReplica && received !== lsn;
  return {
    server: `${cluster} ${server}`,
    log,
    isReplica,
    applied: formatPosition(applied, log),
    seen: formatPosition(mayBeBeyond ? applied + 1n : applied, log),
    transactions: transactions ?? undefined,
    flushed:
      typeof flushed === 'string'
        ? {
            position: formatPosition(parseLsn(flushed), log),
            withinMs: FLUSH_DELAYS * Number(delayMs),
          }
        : undefined,
  };
}

/** Logged but still running, as while it waits for standbys. Undefined where others may be. */
export function runningOnPrimary({ replica, primary }: ComparedStates): bigint[] | undefined {
  if (replica.transactions === undefined || primary.transactions === undefined) return undefined;
  const shown = TransactionSnapshot.parse(replica.transactions);
  const running = TransactionSnapshot.parse(primary.transactions);
  if (running.xmax < shown.xmax) return undefined;
  return [...running.xip].filter((xid) => shown.sees(xid));
}

function anyCommitted(transactions: readonly bigint[]): Statement {
  return {
    parameters: [transactions.join(',')],
    sql: `
  select coalesce(bool_or(pg_xact_status(id::xid8) = 'committed'), false)::text
  from unnest(string_to_array($1, ',')) as id`,
  };
}

/** `16/B374D848`, or with its log, as {@link formatPosition} writes it. */
const POSITION = /^([0-9A-F]{1,8}\/[0-9A-F]{1,8})(?:@([1-9]\d{0,9}\.[\w-]{8}))?$/i;

interface Parsed {
  readonly lsn: Lsn;
  /** Timeline and cluster; undefined for an LSN that a caller has from the server itself. */
  readonly log: string | undefined;
}

function formatPosition(lsn: Lsn, log: string): string {
  return `${formatLsn(lsn)}@${log}`;
}

/** An LSN without a log, as from the server itself, is of the log it is compared with. */
export const LSN_POSITIONS: ServerLog['positions'] = {
  parse(text) {
    const positions = text.split(',').map((part) => parseOne(part.trim()));
    return positions.includes(undefined) ? undefined : positions.flatMap((one) => one ?? []);
  },

  covers(reached, wanted) {
    const [has, wants] = [parsed(reached), parsed(wanted)];
    return isOfLog(wants, has.log) && has.lsn >= wants.lsn;
  },

  later(one, other) {
    const [first, second] = [parsed(one), parsed(other)];
    if (first.log !== second.log) return timelineOf(first) > timelineOf(second) ? one : other;
    return first.lsn > second.lsn ? one : other;
  },

  upTo(wanted, end) {
    const [wants, last] = [parsed(wanted), parsed(end)];
    return isOfLog(wants, last.log) && wants.lsn > last.lsn ? end : wanted;
  },
};

function parseOne(text: string): string | undefined {
  const [, lsn = '', log] = POSITION.exec(text) ?? [];
  if (lsn === '') return undefined;
  return log === undefined ? formatLsn(parseLsn(lsn)) : formatPosition(parseLsn(lsn), log);
}

function parsed(text: string): Parsed {
  const [lsn = '', log] = text.split('@');
  return { lsn: parseLsn(lsn), log };
}

function isOfLog({ log }: Parsed, other: string | undefined): boolean {
  return log === undefined || log === other;
}

/** A promoted server's log has a higher timeline. */
function timelineOf({ log = '0' }: Parsed): number {
  return Number.parseInt(log, 10);
}

function formatLsn(lsn: Lsn): string {
  const [high, low] = [lsn >> 32n, lsn & 0xff_ff_ff_ffn];
  return `${high.toString(16)}/${low.toString(16)}`.toUpperCase();
}
