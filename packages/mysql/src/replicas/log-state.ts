import { type LogState, type ServerLog, SettingsError } from '@proj/engine/database';

import type { Connection, Row } from '../connection/connection.ts';

/** A transaction is in the binary log before it is visible, and in `gtid_slave_pos` after. */
const LOG_STATE = `select
    @@global.gtid_binlog_pos, @@global.gtid_slave_pos, @@global.read_only,
    @@global.log_bin and @@global.log_slave_updates`;

export interface LogAnswer {
  readonly product: string;
  readonly instance: string | undefined;
  readonly row: Row | undefined;
}

export async function askLogState(connection: Connection): Promise<LogAnswer> {
  const { server, instance } = connection;
  const [row] = server.product === 'mariadb' ? await connection.command(LOG_STATE) : [];
  return { product: server.name, instance, row };
}

/** A replica is read-only until promoted. @throws {SettingsError} if not MariaDB, or proxied */
export function logStateOf({ product, instance, row }: LogAnswer): LogState {
  if (row === undefined)
    throw new SettingsError(`it leads to ${product}. Replicas need MariaDB or PostgreSQL.`);
  if (instance === undefined)
    throw new SettingsError(
      'it leads to a proxy, behind which servers cannot be distinguished. ' +
        'Name the server itself.',
    );
  const [written, applied, readOnly, logsApplied] = row.map(String);
  const all = GTID_POSITIONS.later(written ?? '', applied ?? '');
  const isReplica = readOnly !== '0' && applied !== '';
  return {
    server: `${instance} ${isReplica ? 'replica' : 'primary'}`,
    log: '',
    isReplica,
    applied: isReplica ? (applied ?? '') : all,
    seen: isReplica && logsApplied !== '1' ? undefined : all,
  };
}

/** `0-1-4711,1-2-12`: one a domain, in which the sequence number alone gives the order. */
export const GTID_POSITIONS: ServerLog['positions'] = {
  parse(text) {
    const ids = text.split(',').map((part) => part.trim());
    const areIds = ids.every((id) => /^\d{1,10}-\d{1,10}-\d{1,20}$/.test(id));
    return areIds ? [format(parsed(ids.join(',')))] : undefined;
  },

  covers(reached, wanted) {
    const has = parsed(reached);
    return [...parsed(wanted)].every(([domain, id]) => numberOf(has.get(domain)) >= numberOf(id));
  },

  later(one, other) {
    const merged = parsed(one);
    for (const [domain, id] of parsed(other))
      if (numberOf(id) >= numberOf(merged.get(domain))) merged.set(domain, id);
    return format(merged);
  },

  upTo(wanted, end) {
    const [wants, last] = [parsed(wanted), parsed(end)];
    for (const [domain, id] of wants) {
      const known = last.get(domain);
      if (known !== undefined && numberOf(id) > numberOf(known)) wants.set(domain, known);
    }
    return format(wants);
  },
};

function parsed(text: string): Map<string, string> {
  const ids = new Map<string, string>();
  for (const id of text.split(',').filter(Boolean)) {
    const domain = String(BigInt(id.slice(0, id.indexOf('-'))));
    if (numberOf(id) >= numberOf(ids.get(domain))) ids.set(domain, id);
  }
  return ids;
}

function format(ids: ReadonlyMap<string, string>): string {
  return [...ids.values()].join(',');
}

function numberOf(id: string | undefined): bigint {
  return id === undefined ? -1n : BigInt(id.slice(id.lastIndexOf('-') + 1));
}
