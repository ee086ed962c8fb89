import { SettingsError, type Statement } from '@proj/engine/database';

import type { Connection } from './connection.ts';

/** Where the server sees the other end of the connection. */
const CLIENT_PORT: Statement = { parameters: [], sql: 'select inet_client_port()::text' };

/** Pgpool-II answers itself; a PostgreSQL server knows none of these. */
const POOL_VERSION: Statement = { parameters: [], sql: 'show pool_version' };
const BALANCES: Statement = { parameters: [], sql: 'pgpool show load_balance_mode' };

/** Whether something is between us and the server, as far as ports show it. */
export async function isRelayed(connection: Connection): Promise<boolean> {
  const { localPort } = connection;
  if (localPort === undefined) return false;
  const [seenPort] = await answerOf(connection, CLIENT_PORT);
  return seenPort !== String(localPort);
}

/**
 * Refuses a Pgpool-II that sends the statements of one session to several servers: those of one
 * page would see two states. It is asked for only where something is between us and the server, so
 * that no server logs an unknown setting otherwise.
 *
 * @throws {SettingsError} when there is one
 */
export async function refuseBalancer(connection: Connection): Promise<void> {
  const [version] = await answerOf(connection, POOL_VERSION);
  if (version === undefined) return;
  const [balances] = await answerOf(connection, BALANCES);
  if (balances !== 'off')
    throw new SettingsError(
      'database: Pgpool-II is before the servers and sends the statements of one page to several ' +
        'of them, which show different states. Set load_balance_mode = off in pgpool.conf, or ' +
        'name the primary itself and its standbys under replicas.',
    );
}

/** The only row, without what is NULL; empty where the server refuses the statement. */
async function answerOf(connection: Connection, statement: Statement): Promise<readonly string[]> {
  const row = await connection.query(statement, false).catch(() => []);
  return row.flatMap((value) => value ?? []);
}
