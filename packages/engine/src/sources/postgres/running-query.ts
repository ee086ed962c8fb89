import { QueryFailedError } from '../../errors.ts';
import type { Patience, Statement } from '../source.ts';
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

/** A statement under way. */
export interface RunningQuery {
  /** The only row. Rejects as the database does, at the deadline, or as soon as the caller leaves. */
  readonly answer: Promise<Row>;
  /** Resolves when the connection can take the next statement or is destroyed: no cancellation is on its way any longer. */
  readonly finished: Promise<void>;
}

/** Runs a statement until it answers, the time is over or the caller leaves; then it is stopped in the database. */
export function runQuery(connection: Connection, question: Question, { signal, timeoutMs }: Patience): RunningQuery {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Row>();
  let stopping: Promise<void> | undefined;
  const work = askUnless(() => stopping !== undefined, connection, { ...question, timeoutMs });
  const stop = (): void => {
    stopping ??= stopStatement(connection, work);
  };
  const expire = (): void => {
    const failure = new QueryFailedError('query_timeout', `The query took longer than ${timeoutMs} ms.`);
    work.catch(() => reject(failure));
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
  const finished = work
    .then(resolve, (error: unknown) => {
      if (failureKind(error) === 'lost') connection.destroy();
      if (stopping === undefined) reject(error);
    })
    .then(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      return stopping;
    });
  return { answer, finished };
}

interface TimedQuestion extends Question {
  readonly timeoutMs: number;
}

async function askUnless(stopped: () => boolean, connection: Connection, question: TimedQuestion): Promise<Row> {
  await connection.allow(question.timeoutMs);
  // A cancellation has then hit the statement before, and nothing would stop this one.
  if (stopped()) throw new QueryFailedError('cancelled', 'The query was called off before it began.');
  return connection.query(question.statement, question.named);
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
