import { HTTPError, type RetryOptions } from 'ky';

import type { Settings } from './settings.ts';

/** Milliseconds, at least 0; `null` without a readable `Retry-After`. */
export function retryAfterMs(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim();
  if (!value) return null;
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

/** Worth another attempt. By the contract 500 would only repeat. */
export const PASSING_STATUSES = [408, 429, 502, 503, 504];

/** The deadline starts with the call. */
export function retryPolicy({ retries, maxRetryAfterMs, deadlineMs }: Settings): RetryOptions {
  const deadline = performance.now() + deadlineMs;
  return {
    limit: retries,
    methods: ['get', 'post'],
    statusCodes: PASSING_STATUSES,
    afterStatusCodes: PASSING_STATUSES,
    maxRetryAfter: maxRetryAfterMs,
    backoffLimit: 5_000,
    jitter: true,
    shouldRetry: ({ error }) => {
      if (!(error instanceof HTTPError)) return undefined;
      const wait = retryAfterMs(error.response.headers) ?? 0;
      const longest = Math.min(maxRetryAfterMs, deadline - performance.now());
      // Undefined leaves the decision to the lists above.
      return wait > longest || isSlowQuery(error.data) ? false : undefined;
    },
  };
}

function isSlowQuery(problem: unknown): boolean {
  return (
    typeof problem === 'object' &&
    problem !== null &&
    'code' in problem &&
    problem.code === 'query_timeout'
  );
}
