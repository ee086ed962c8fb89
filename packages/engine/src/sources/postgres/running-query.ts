import { QueryFailedError } from '../../errors.ts';
import type { Patience } from '../source.ts';
import type { Statement } from '../statement.ts';
import type { Connection, Row } from './connection.ts';
import { failureKind } from './failure.ts';

/** So long the server may take to hear of a cancellation and to end the statement. One that is frozen never does. */
const CANCEL_MS = 500;

/** So long a caller waits for the end of the statement after the deadline. */
const LAST_MOMENT_MS = 100;

const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** What is asked of a connection. */
export interface Question {
  readonly statement: Statement;
  /** Whether the session keeps the statement's plan. */
  readonly named: boolean;
}

/** Asks for the only row of a statement. */
export type Ask = (question: Question) => Promise<Row>;

/** Statements that belong together, such as those of a transaction. One that is left open is rolled back. */
export type Work<Value> = (ask: Ask) => Promise<Value>;

/** Work under way. */
export interface RunningWork<Value> {
  /** Rejects as the database does, at the deadline, or as soon as the caller leaves. */
  readonly answer: Promise<Value>;
  /** Resolves when the connection can take other work or is destroyed: no cancellation is on its way any longer. */
  readonly finished: Promise<void>;
}

/** Runs work until it answers, the time is over or the caller leaves; then its statement is stopped in the database. */
export function runWork<Value>(connection: Connection, work: Work<Value>, { signal, timeoutMs }: Patience): RunningWork<Value> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Value>();
  let stopping: Promise<void> | undefined;
  const working = begin(connection, timeoutMs, () => work(ask));
  async function ask({ statement, named }: Question): Promise<Row> {
    // A cancellation has then hit the statement before, and nothing would stop this one.
    if (stopping !== undefined) throw new QueryFailedError('cancelled', 'The query was called off before it began.');
    return connection.query(statement, named);
  }
  const stop = (): void => {
    stopping ??= stopStatement(connection, working);
  };
  const expire = (): void => {
    const failure = new QueryFailedError('query_timeout', `The query took longer than ${timeoutMs} ms.`);
    working.catch(() => reject(failure));
    setTimeout(reject, LAST_MOMENT_MS, failure);
    stop();
  };
  const leave = (): void => {
    reject(new QueryFailedError('cancelled', 'The caller left.'));
    stop();
  };
  const timer = setTimeout(expire, Math.min(timeoutMs, LONGEST_TIMEOUT_MS));
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted === true) leave();
  async function finish(): Promise<void> {
    await working.then(resolve, (error: unknown) => {
      if (failureKind(error) === 'lost') connection.destroy();
      if (stopping === undefined) reject(error);
    });
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
    await stopping;
    if (connection.inTransaction) await rollBack(connection);
  }
  return { answer, finished: finish() };
}

async function begin<Value>(connection: Connection, timeoutMs: number, work: () => Promise<Value>): Promise<Value> {
  await connection.allow(timeoutMs);
  return work();
}

/** Leaves a transaction that failed on its way. */
async function rollBack(connection: Connection): Promise<void> {
  const deadline = setTimeout(() => connection.destroy(), CANCEL_MS);
  await connection.query({ sql: 'rollback', parameters: [] }, false).catch(() => connection.destroy());
  clearTimeout(deadline);
}

/** Ends with the connection either ready for the next statement or destroyed. */
async function stopStatement(connection: Connection, work: Promise<unknown>): Promise<void> {
  const deadline = setTimeout(() => connection.destroy(), CANCEL_MS);
  const heard = await connection.cancel(CANCEL_MS);
  // A request that may yet arrive must find nothing to stop.
  if (!heard) connection.destroy();
  await work.catch(() => undefined);
  clearTimeout(deadline);
}
