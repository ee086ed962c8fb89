import type { ClientConfig } from 'pg';

import { CommandConnection } from '../protocol/commands.ts';
import { ReplicationConnection } from '../protocol/replication.ts';
import type { FeedConnections } from './feed-session.ts';

export interface ClosableConnections {
  readonly connections: FeedConnections;
  readonly close: () => void;
}

export function feedConnections(client: ClientConfig): ClosableConnections {
  const commands = new CommandConnection(client);
  const replication = new ReplicationConnection(client);
  const holders = new Set<CommandConnection>();
  let isClosed = false;
  async function openHolder(): Promise<CommandConnection> {
    const holder = new CommandConnection(client);
    holders.add(holder);
    await holder.connect();
    await holder.ask(WITHOUT_TIME_LIMIT);
    if (isClosed) holder.destroy();
    return holder;
  }
  function close(): void {
    isClosed = true;
    for (const connection of [commands, replication, ...holders]) connection.destroy();
  }
  return { connections: { commands, replication, openHolder }, close };
}

/** The server's limit on transactions, since PostgreSQL 17. */
const WITHOUT_TIME_LIMIT = {
  sql: `select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'`,
  parameters: [],
};
