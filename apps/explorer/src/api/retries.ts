import { NetworkError, ProblemError } from '@proj/client';

/**
 * The longest wait before a retry, in milliseconds. If the service asks for more, the page shows
 * the error and the time instead.
 */
const LONGEST_WAIT_MS = 120_000;
const MOST_WAITS = 8;
const MOST_RECONNECTS = 2;

/** How often a request that fails so is sent again. */
export function mostRetries(error: Error): number {
  if (error instanceof NetworkError) return MOST_RECONNECTS;
  const passes = error instanceof ProblemError && (error.status === 429 || error.status === 503);
  return passes && (error.retryAfterMs ?? 0) <= LONGEST_WAIT_MS ? MOST_WAITS : 0;
}

/** How long to wait before a retry: as the service says, else longer each time. */
export function waitMs(failures: number, error: Error): number {
  const asked = error instanceof ProblemError ? error.retryAfterMs : null;
  return asked ?? Math.min(1000 * 2 ** failures, 15_000);
}
