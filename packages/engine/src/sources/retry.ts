import { performance } from 'node:perf_hooks';

import type { Patience } from './source.ts';

/** How work is tried, and when it is tried again. */
export interface Attempts<Value> {
  /** Does the work within what is left of its time. */
  readonly attempt: (patience: Patience) => Promise<Value>;
  /** Whether a second attempt may well succeed; resolves when it may begin. */
  readonly mayRetry: (error: unknown) => Promise<boolean>;
}

/**
 * Does work that only reads, and once more where that promises something. Both attempts share one
 * time limit.
 */
export async function withRetry<Value>(
  { attempt, mayRetry }: Attempts<Value>,
  patience: Patience,
): Promise<Value> {
  const started = performance.now();
  try {
    return await attempt(patience);
  } catch (error) {
    if (!(await mayRetry(error))) throw error;
  }
  return attempt(remaining(patience, started));
}

/** What is left of the time for work that began then. */
export function remaining<Limited extends Pick<Patience, 'timeoutMs'>>(
  patience: Limited,
  started: number,
): Limited {
  return {
    ...patience,
    timeoutMs: Math.max(1, patience.timeoutMs - (performance.now() - started)),
  };
}
