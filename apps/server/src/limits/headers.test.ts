import { expect, it } from 'vitest';

import { rateLimitHeaders } from './headers.ts';
import { REQUESTS, ROWS } from './policies.ts';
import { queriesStanding, windowStanding } from './standing.ts';

it('are structured fields, one item for each policy', () => {
  const charge = { owner: 'a', cost: 1, always: false };
  const requests = windowStanding(
    { ...charge, policy: REQUESTS, limit: 100 },
    { used: 1, allowed: true, resetMs: 59_001 },
  );
  const rows = windowStanding(
    { ...charge, policy: ROWS, limit: 5000 },
    { used: 5010, allowed: false, resetMs: 1 },
  );
  expect(rateLimitHeaders([requests, rows, queriesStanding(16, 3, true)])).toEqual({
    'ratelimit-policy':
      '"requests-per-minute";q=100;w=60, "rows-per-day";q=5000;qu="rows";w=86400, "concurrent-queries";q=16;qu="concurrent-requests"',
    ratelimit: '"requests-per-minute";r=99;t=60, "rows-per-day";r=0;t=1, "concurrent-queries";r=13',
  });
});

it('are absent where nothing is limited', () => {
  expect(rateLimitHeaders([])).toEqual({});
});
