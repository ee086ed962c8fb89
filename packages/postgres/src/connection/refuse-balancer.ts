import { SettingsError, type Statement } from '@proj/engine/database';

import type { Connection } from './connection.ts';

/** Our end, as the server sees it. */
const CLIENT_PORT: Statement = { parameters: [], sql: 'select inet_client_port()::text' };

/** Pgpool-II answers itself; PostgreSQL knows none of these. */
const POOL_VERSION: Statement = { parameters: [], sql: 'show pool_version' };
const BALANCES: Statement = { parameters: [], sql: 'pgpool show load_balance_mode' };

/** As far as ports show it. */
export async function isRelayed(connection: Connection): Promise<boolean> {
  const { localPort } = connection;
  if (localPort === undefined) return false;
  const [seenPort] = await answerOf(connection, CLIENT_PORT);
  return seenPort !== String(localPort);
}

/**
 * Asked only behind a proxy, to keep server logs clean.
 *
 * @throws {SettingsError} for a Pgpool-II that splits sessions: a page would see two states
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

/** Without NULLs; empty where the server refuses the statement. */
async function answerOf(connection: Connection, statement: Statement): Promise<readonly string[]> {
  const row = await connection.query(statement, false).catch(() => []);
  return row.flatMap((value) => value ?? []);
}
