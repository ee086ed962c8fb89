import { type LogState, SettingsError } from '@proj/engine/database';

import type { Connection, Row } from '../connection/connection.ts';
import { GTID_POSITIONS } from './positions.ts';

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

/**
 * A server is a replica while it is read-only: promotion ends that.
 *
 * @throws {SettingsError} when it is not MariaDB, or behind a proxy
 */
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
