import { waitOrStop, within } from '../../deadline.ts';
import type { Connection } from './connection.ts';

export interface Run<Value> {
  /** Rejects as the database does, at the deadline, or when the caller disconnects. */
  readonly answer: Promise<Value>;
  /** Resolves when nothing on its way could stop the next statement of the connection. */
  readonly free: Promise<void>;
}

export interface Stopping {
  readonly signal: AbortSignal;
  /** Resolves with whether the server got it; if so it stops no later statement. */
  readonly stop: () => Promise<boolean>;
  /** A frozen server answers neither; it is given up after this. */
  readonly graceMs: number;
}

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
