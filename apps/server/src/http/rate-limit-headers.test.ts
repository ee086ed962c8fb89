import { expect, it } from 'vitest';

import { rateLimitHeaders } from './rate-limit-headers.ts';
import { REQUESTS, RECORDS } from '../limits/counts/policies.ts';
import { concurrencyState, windowState } from '../limits/counts/rate-limit-state.ts';

it('the headers of rate limits are structured fields, one item for each policy', () => {
  const consumption = { owner: 'a', amount: 1, unconditional: false };
  const requests = windowState(
    { ...consumption, policy: REQUESTS, limit: 100 },
    { consumed: 1, allowed: true, resetMs: 59_001 },
  );
  const records = windowState(
    { ...consumption, policy: RECORDS, limit: 5000 },
    { consumed: 5010, allowed: false, resetMs: 1 },
  );
  expect(rateLimitHeaders([requests, records, concurrencyState(16, 3, true)])).toEqual({
    'ratelimit-policy':
      '"requests-per-minute";q=100;w=60, "rows-per-day";q=5000;qu="rows";w=86400, ' +
      '"concurrent-queries";q=16;qu="concurrent-requests"',
    ratelimit: '"requests-per-minute";r=99;t=60, "rows-per-day";r=0;t=1, "concurrent-queries";r=13',
  });
});

it('the headers of rate limits are absent where nothing is limited', () => {
  expect(rateLimitHeaders([])).toEqual({});
});
