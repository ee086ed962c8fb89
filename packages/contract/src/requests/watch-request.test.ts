import { describe, expect, it } from 'vitest';

import { readWatchRequest } from './watch-request.ts';

const LIST = { query_model: 'cities', query_attributes: ['name'] };

describe('a request to watch a list', () => {
  it('is a query without page, and says how often events may come', () => {
    const request = { ...LIST, query_total: { up_to: 10 }, watch_every_ms: 500 };
    expect(readWatchRequest(request)).toEqual({ ok: true, request });
    expect(readWatchRequest({ ...LIST, page: { page: 1, size: 10 } })).toMatchObject({
      errors: [
        {
          pointer: '/page',
          code: 'unknown_member',
          detail: '/page: a whole list is watched; leave out page.',
        },
      ],
    });
  });

  it.each([
    [99, 'out_of_range'],
    [3_600_001, 'out_of_range'],
    [100.5, 'invalid_type'],
    ['100', 'invalid_type'],
  ])('is refused where events may come every %j ms', (everyMs, code) => {
    const reading = readWatchRequest({ ...LIST, watch_every_ms: everyMs });
    expect(reading).toMatchObject({ errors: [{ pointer: '/watch_every_ms', code }] });
  });
});
