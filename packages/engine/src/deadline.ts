import { QueryFailedError } from './errors.ts';

/** The moment until which an answer is waited for, and the signal that ends the wait. */
export interface Deadline {
  /**
   * Aborts when the caller disconnects or the time limit passes. Its reason is the error that the
   * caller gets: `cancelled` or `query_timeout`.
   */
  readonly signal: AbortSignal;
  /** When the time limit passes, as a moment of `performance.now()`. */
  readonly deadline: number;
}

/** What a deadline is made of. */
export interface DeadlineLimits {
  /** Aborts when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** The reason when the time limit passes. Default: `query_timeout`. */
  readonly timeoutError?: () => Error;
}

/** A timer that is set for longer fires at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** How long a statement that was stopped at its time limit may take to end, in milliseconds. */
const GRACE_MS = 100;

/**
 * Does work under a deadline. Its timer and its listener are removed when the work ends; those of
 * `AbortSignal.any` and `AbortSignal.timeout` would stay until the signals are garbage collected.
 */
export async function withDeadline<Value>(
  { signal, timeoutMs, timeoutError = () => timedOut(timeoutMs) }: DeadlineLimits,
  work: (deadline: Deadline) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const disconnect = (): void => controller.abort(disconnectReason(signal));
  const timeOut = (): void => controller.abort(timeoutError());
  const timer = setTimeout(timeOut, Math.min(timeoutMs, LONGEST_TIMEOUT_MS));
  signal?.addEventListener('abort', disconnect, { once: true });
  if (signal?.aborted === true) disconnect();
  try {
    return await work({ signal: controller.signal, deadline: performance.now() + timeoutMs });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', disconnect);
  }
}

/**
 * The milliseconds until a deadline; at least one, since 0 means no limit to databases.
 */
export function remainingMs({ deadline }: Pick<Deadline, 'deadline'>): number {
  return Math.max(1, deadline - performance.now());
}

/**
 * Waits for an answer until the signal aborts. Its listener goes with the wait.
 *
 * @param onAbort runs when the wait ends without the answer, and never when it ends with it
 * @throws the reason of the signal, whatever becomes of the answer
 */
export function waitOrAbort<Value>(
  answer: Promise<Value>,
  signal: AbortSignal,
  onAbort: () => void = () => undefined,
): Promise<Value> {
  return wait(answer, signal, { onAbort, graceMs: 0 });
}

/**
 * Waits for work that is stopped when the signal aborts. After the time limit this waits up to 100
 * ms more, since the stopped work may still return its answer; after the caller has disconnected it
 * rejects at once.
 *
 * @param stop stops the work; it never runs once the work has ended
 * @throws the reason of the signal once it has aborted, whether the work succeeds or fails later
 */
export function waitOrStop<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
  stop: () => void = () => undefined,
): Promise<Value> {
  return wait(work, signal, { onAbort: stop, graceMs: GRACE_MS });
}

/** What the promise gives, or `late` when it takes longer. */
export async function within<Value, Late>(
  promise: Promise<Value>,
  milliseconds: number,
  late: Late,
): Promise<Value | Late> {
  const { promise: expiry, resolve } = Promise.withResolvers<Late>();
  const timer = setTimeout(() => resolve(late), milliseconds);
  try {
    return await Promise.race([promise, expiry]);
  } finally {
    clearTimeout(timer);
  }
}

interface WaitOptions {
  readonly onAbort: () => void;
  readonly graceMs: number;
}

function wait<Value>(
  answer: Promise<Value>,
  signal: AbortSignal,
  { onAbort, graceMs }: WaitOptions,
): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  let timer: NodeJS.Timeout | undefined;
  const giveUp = (): void => reject(signal.reason);
  const abort = (): void => {
    if (graceMs > 0 && isTimeout(signal.reason)) timer = setTimeout(giveUp, graceMs);
    else giveUp();
    onAbort();
  };
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  async function follow(): Promise<void> {
    try {
      resolve(await answer);
    } catch (error) {
      reject(signal.aborted ? signal.reason : error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }
  void follow();
  return promise;
}

/** The error of the signal that aborted: of an outer deadline the same error, else `cancelled`. */
function disconnectReason(signal: AbortSignal | undefined): QueryFailedError {
  const reason: unknown = signal?.reason;
  return reason instanceof QueryFailedError ? reason : cancelled();
}

/** Whether a signal aborted because the time limit passed. */
export function isTimeout(reason: unknown): boolean {
  return reason instanceof QueryFailedError && reason.code === 'query_timeout';
}

function cancelled(): QueryFailedError {
  return new QueryFailedError('cancelled', 'The caller disconnected.');
}

function timedOut(timeoutMs: number): QueryFailedError {
  return new QueryFailedError('query_timeout', `The query took longer than ${timeoutMs} ms.`);
}
