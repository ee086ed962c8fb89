import { waitOrStop, within } from '../../deadline.ts';
import type { Connection } from './connection.ts';

/** Work under way on a connection. */
export interface Run<Value> {
  /** Rejects as the database does, at the deadline, or as soon as the caller disconnects. */
  readonly answer: Promise<Value>;
  /**
   * Resolves when the connection can take other work or is destroyed: nothing that would stop its
   * next statement is on its way any longer.
   */
  readonly free: Promise<void>;
}

/** How work is stopped in the database. */
export interface Stopping {
  readonly signal: AbortSignal;
  /** Resolves with whether the server has heard of it, so that it stops no later statement. */
  readonly stop: () => Promise<boolean>;
  /** A frozen server answers neither the work nor what stops it; it is given up after so long. */
  readonly graceMs: number;
}

/**
 * Waits for work until it answers, the deadline passes or the caller disconnects; then it is
 * stopped.
 */
export function runStoppable<Value>(
  connection: Connection,
  working: Promise<Value>,
  { signal, stop, graceMs }: Stopping,
): Run<Value> {
  let stopping: Promise<void> | undefined;
  const ended = working.then(
    () => false,
    () => true,
  );
  const stopNow = async (): Promise<void> => {
    const timer = setTimeout(() => connection.destroy(), graceMs);
    if (!(await stop())) connection.destroy();
    await ended;
    clearTimeout(timer);
  };
  const settle = async (): Promise<void> => {
    const failed = await ended;
    await stopping;
    if (!connection.needsRollback(failed || stopping !== undefined)) return;
    if (!(await within(connection.rollBack(), graceMs, false))) connection.destroy();
  };
  const answer = waitOrStop(working, signal, () => {
    stopping = stopNow();
  });
  return { answer, free: settle() };
}
