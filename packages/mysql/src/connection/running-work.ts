import { Deadlines } from '@proj/engine/database';

import type { Connection } from './connection.ts';
import type { KillChannel } from './kill-channel.ts';
import { within } from './within.ts';

/**
 * A frozen server answers neither the statement nor the kill; after so long the connection is
 * dropped. A busy one may take a second to answer a kill, and would go on with the statement of a
 * connection that is gone.
 */
const GRACE_MS = 2000;

/** Something that runs on a connection. */
export type Work<Value> = (connection: Connection) => Promise<Value>;

/** Work under way. */
export interface Run<Value> {
  readonly answer: Promise<Value>;
  /**
   * Settles when the connection can take other work, or is lost: no kill is on its way to it any
   * longer.
   */
  readonly free: Promise<void>;
}

/**
 * Runs work until it answers, the deadline passes or the caller disconnects; then the statement is
 * stopped in the database.
 */
export function runStoppable<Value>(
  connection: Connection,
  work: Work<Value>,
  { signal, channel }: { readonly signal: AbortSignal; readonly channel: KillChannel },
): Run<Value> {
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  const working = work(connection);
  let isStopping = false;
  const answer = Deadlines.waitOrStop(working, signal, () => {
    isStopping = true;
    release(stopStatement(connection, working, channel));
  });
  const end = (isInDoubt: boolean): void => {
    if (!isStopping) release(isInDoubt ? settle(connection) : undefined);
  };
  working.then(
    () => end(connection.inDoubt),
    () => end(true),
  );
  return { answer, free };
}

/** Ends with the connection either as it was before any work, or destroyed. */
async function settle(connection: Connection): Promise<void> {
  if (!(await within(connection.settle(), GRACE_MS, false))) connection.destroy();
}

/** Ends with the connection either ready for other work or destroyed. */
async function stopStatement(
  connection: Connection,
  working: Promise<unknown>,
  channel: KillChannel,
): Promise<void> {
  connection.halt();
  const settled = working.then(
    () => true,
    () => true,
  );
  const both = Promise.all([channel.kill(connection.threadId, GRACE_MS), settled]);
  const killed = await within(
    both.then(([answered]) => answered),
    GRACE_MS,
    false,
  );
  // The kill may have come after the statement had ended, and would fall on the next one.
  if (killed) await settle(connection);
  else connection.destroy();
}
