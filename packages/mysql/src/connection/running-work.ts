import { Pools } from '@proj/engine/database';

import type { Connection } from './connection.ts';
import type { KillChannel } from './kill-channel.ts';

/**
 * A frozen server answers neither the statement nor the kill; after so long the connection is
 * dropped. A busy one may take a second to answer a kill, and would go on with the statement of a
 * connection that is gone.
 */
const GRACE_MS = 2000;

/** Something that runs on a connection. */
export type Work<Value> = (connection: Connection) => Promise<Value>;

/** Runs work that can be stopped. A kill may come after a statement has ended. */
export function runStoppable<Value>(
  connection: Connection,
  work: Work<Value>,
  { signal, channel }: { readonly signal: AbortSignal; readonly channel: KillChannel },
): Pools.Run<Value> {
  const stop = (): Promise<boolean> => {
    connection.halt();
    return channel.kill(connection.threadId, GRACE_MS);
  };
  return Pools.runStoppable(connection, work(connection), { signal, stop, graceMs: GRACE_MS });
}
