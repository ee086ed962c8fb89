import { NetworkError, ProblemError } from '@proj/client';
import { expect, it } from 'vitest';

import { mostRetries, waitMs } from './retries.ts';

function problem(status: number, retryAfterMs: number | null): ProblemError {
  return new ProblemError({ status, problem: null, requestId: null, retryAfterMs });
}

it('A retry waits as long as the service says, and otherwise longer each time, up to 15 seconds', () => {
  expect([waitMs(0, problem(429, 42_000)), waitMs(5, problem(503, 0))]).toEqual([42_000, 0]);
  const waits = [0, 1, 2, 3, 4, 9].map((failures) => waitMs(failures, problem(503, null)));
  expect(waits).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000]);
});

it('What passes by itself is tried again, unless the service asks for more than two minutes', () => {
  for (const status of [429, 503]) {
    const retries = [null, 120_000, 120_001].map((ms) => mostRetries(problem(status, ms)));
    expect(retries).toEqual([8, 8, 0]);
  }
  expect(mostRetries(new NetworkError('/', { cause: undefined }))).toBe(2);
  for (const error of [problem(500, null), problem(400, 1), problem(401, null), new Error('other')])
    expect(mostRetries(error)).toBe(0);
});
