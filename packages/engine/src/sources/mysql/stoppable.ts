import { QueryFailedError } from '../../errors.ts';
import type { ReadCall } from '../source.ts';
import type { DatabaseConnection } from './database-connection.ts';
import type { KillChannel } from './kill-channel.ts';
import { within } from './within.ts';

/**
 * A frozen server answers neither the statement nor the kill; after so long the connection is
 * dropped.
 */
const GRACE_MS = 400;

/** So long a caller waits for the end of the statement after its time limit. */
const LAST_MOMENT_MS = 100;

const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Something that runs on a connection. */
export type Work<Value> = (connection: DatabaseConnection) => Promise<Value>;

/** Work under way. */
export interface Run<Value> {
  readonly answer: Promise<Value>;
  /**
   * Settles when the connection can take other work, or is gone: no kill is on its way to it any
   * longer.
   */
  readonly free: Promise<void>;
}

/**
 * Runs work until it answers, the time is over or the caller leaves; then the statement is stopped
 * in the database.
 */
export function runStoppable<Value>(
  connection: DatabaseConnection,
  work: Work<Value>,
  { signal, timeoutMs }: ReadCall,
  channel: KillChannel,
): Run<Value> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Value>();
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  let stopped: QueryFailedError | undefined;
  const working = work(connection);
  const stop = (reason: QueryFailedError): void => {
    if (stopped !== undefined) return;
    stopped = reason;
    release(stopStatement(connection, working, channel));
  };
  const expire = (): void => {
    const failure = new QueryFailedError(
      'query_timeout',
      'The query took longer than its time limit.',
    );
    setTimeout(reject, LAST_MOMENT_MS, failure);
    stop(failure);
  };
  const leave = (): void => {
    const reason = new QueryFailedError('cancelled', 'The caller left.');
    reject(reason);
    stop(reason);
  };
  const timer = setTimeout(expire, Math.min(timeoutMs, LONGEST_TIMEOUT_MS));
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted === true) leave();
  working
    .then(resolve, (error: unknown) => reject(stopped ?? error))
    .finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      if (stopped === undefined) release();
    });
  return { answer, free };
}

/** Ends with the connection either ready for other work or destroyed. */
async function stopStatement(
  connection: DatabaseConnection,
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
  const fit = killed && (await within(connection.settle(), GRACE_MS, false));
  if (!fit) connection.destroy();
}
