import { QueryFailedError } from './errors.ts';

/** Until when something is waited for. */
export interface Deadline {
  /** Ends the wait as `cancelled` when it aborts. */
  readonly signal: AbortSignal | undefined;
  /** Ends the wait after so many milliseconds; undefined: it has no end of its own. */
  readonly timeoutMs?: number | undefined;
  /** What the wait ends with then. Default: `query_timeout`. */
  readonly timeoutError?: () => Error;
}

/**
 * Waits for an answer no longer than a deadline allows. Timer and listener go with the wait.
 *
 * @param onAbort runs when the wait ends without the answer, and never when it ends with it
 * @throws {QueryFailedError} `cancelled` or `query_timeout`, whatever becomes of the answer
 */
export async function waitOrAbort<Value>(
  answer: Promise<Value>,
  deadline: Deadline,
  onAbort: () => void,
): Promise<Value> {
  const { signal, timeoutMs, timeoutError = () => timedOut(timeoutMs) } = deadline;
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  let settled = false;
  const settle = (how: () => void): void => {
    if (settled) return;
    settled = true;
    how();
  };
  const abort = (reason: Error): void => {
    settle(() => {
      reject(reason);
      onAbort();
    });
  };
  const leave = (): void => abort(cancelled());
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => abort(timeoutError()), Math.min(timeoutMs, LONGEST_MS));
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted === true) leave();
  answer.then(
    (value) => settle(() => resolve(value)),
    (error: unknown) => settle(() => reject(error)),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}

/** A timer that is set for longer fires at once. */
const LONGEST_MS = 2 ** 31 - 1;

export function cancelled(): QueryFailedError {
  return new QueryFailedError('cancelled', 'The caller left.');
}

export function timedOut(timeoutMs: number | undefined): QueryFailedError {
  return new QueryFailedError('query_timeout', `The query took longer than ${timeoutMs} ms.`);
}
