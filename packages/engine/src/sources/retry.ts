import { performance } from 'node:perf_hooks';

import type { ReadCall } from './source.ts';

/** How work is tried, and when it is tried again. */
export interface Attempts<Value> {
  /** Does the work within what is left of its time. */
  readonly attempt: (call: ReadCall) => Promise<Value>;
  /** Whether a second attempt may well succeed; resolves when it may begin. */
  readonly mayRetry: (error: unknown) => Promise<boolean>;
}

/**
 * Does work that only reads, and once more where that promises something. Both attempts share one
 * time limit.
 */
export async function withRetry<Value>(
  { attempt, mayRetry }: Attempts<Value>,
  call: ReadCall,
): Promise<Value> {
  const started = performance.now();
  try {
    return await attempt(call);
  } catch (error) {
    if (!(await mayRetry(error))) throw error;
  }
  return attempt(remaining(call, started));
}

/** What is left of the time for work that began then. */
export function remaining<Limited extends Pick<ReadCall, 'timeoutMs'>>(
  call: Limited,
  started: number,
): Limited {
  return {
    ...call,
    timeoutMs: Math.max(1, call.timeoutMs - (performance.now() - started)),
  };
}
