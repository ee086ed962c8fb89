import { QueryFailedError } from './errors.ts';

export interface Deadline {
  /** Aborts with the caller's error as reason: `cancelled` or `query_timeout`. */
  readonly signal: AbortSignal;
  /** By `performance.now()`. */
  readonly deadline: number;
}

export interface DeadlineLimits {
  /** Aborts when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** By `performance.now()`. Default: now. */
  readonly since?: number;
  readonly timeoutError?: () => Error;
}

/** Longer timers fire at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** How long a stopped statement may take to end, in milliseconds. */
const GRACE_MS = 100;

/** Removes timer and listener with the work, unlike `AbortSignal.any` and `.timeout`. */
export async function withDeadline<Value>(
  { signal, timeoutMs, since, timeoutError = () => timedOut(timeoutMs) }: DeadlineLimits,
  work: (deadline: Deadline) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  const disconnect = (): void => {
    const reason: unknown = signal?.reason;
    const disconnected = new QueryFailedError('cancelled', 'The caller disconnected.');
    controller.abort(reason instanceof QueryFailedError ? reason : disconnected);
  };
  const timeOut = (): void => controller.abort(timeoutError());
  const now = performance.now();
  const deadline = (since ?? now) + timeoutMs;
  const timer = setTimeout(timeOut, Math.min(deadline - now, LONGEST_TIMEOUT_MS));
  signal?.addEventListener('abort', disconnect, { once: true });
  if (signal?.aborted === true) disconnect();
  try {
    return await work({ signal: controller.signal, deadline });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', disconnect);
  }
}

/** At least one millisecond: for databases 0 means no limit. */
export function remainingMs({ deadline }: Pick<Deadline, 'deadline'>): number {
  return Math.max(1, deadline - performance.now());
}

/**
 * @param onAbort runs only when the wait ends without the answer
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
 * Stops work when the signal aborts. After the time limit it waits up to 100 ms more for an answer;
 * when the caller disconnects it rejects at once.
 *
 * @param stop never runs once the work has ended
 * @throws the reason of the signal once it has aborted, whether the work succeeds or fails later
 */
export function waitOrStop<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
  stop: () => void = () => undefined,
): Promise<Value> {
  return wait(work, signal, { onAbort: stop, graceMs: GRACE_MS });
}

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

function wait<Value>(
  answer: Promise<Value>,
  signal: AbortSignal,
  { onAbort, graceMs }: { readonly onAbort: () => void; readonly graceMs: number },
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const giveUp = (): void => reject(signal.reason);
    const abort = (): void => {
      if (graceMs > 0 && isTimeout(signal.reason)) timer = setTimeout(giveUp, graceMs);
      else giveUp();
      onAbort();
    };
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    const settle = (how: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      how();
    };
    answer.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(signal.aborted ? signal.reason : error)),
    );
  });
}

export function isTimeout(reason: unknown): boolean {
  return reason instanceof QueryFailedError && reason.code === 'query_timeout';
}

function timedOut(timeoutMs: number): QueryFailedError {
  return new QueryFailedError('query_timeout', `The query took longer than ${timeoutMs} ms.`);
}
