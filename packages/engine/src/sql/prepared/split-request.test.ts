import { describe, expect, it } from 'vitest';

import { splitRequest } from './split-request.ts';

const REST = { query_model: 't', query_attributes: ['a'] };

describe('a request with a well-formed page', () => {
  it.each([
    { page: 1, size: 1 },
    { page: Number.MAX_SAFE_INTEGER, size: Number.MAX_SAFE_INTEGER },
    { containing: { id: '7', region: null }, size: 1 },
    { containing: {}, size: 1000 },
  ])('%j is split into its page and the text of the rest', (page) => {
    expect(splitRequest({ ...REST, page })).toEqual({ page, rest: JSON.stringify(REST) });
  });

  it('has the same rest wherever the page was written', () => {
    const page = { page: 1, size: 10 };
    expect(splitRequest({ page, ...REST })).toEqual(splitRequest({ ...REST, page }));
  });
});

describe('a request that is not split', () => {
  it.each([null, undefined, 1, 'page', [], {}, REST])('is %j', (body) => {
    expect(splitRequest(body)).toBeUndefined();
  });

  it.each([
    null,
    undefined,
    1,
    'page',
    [1, 10],
    {},
    { page: 1 },
    { size: 1 },
    { page: 0, size: 1 },
    { page: 1, size: 0 },
    { page: 1.5, size: 1 },
    { page: 1, size: '1' },
    { page: 2 ** 53, size: 1 },
    { page: 1, size: 1, offset: 0 },
    { containing: { id: 7 } },
    { containing: { id: 7 }, size: 0 },
    { containing: [7], size: 1 },
    { containing: null, size: 1 },
    { containing: { id: 7 }, size: 1, page: 1 },
  ])('has the page %j', (page) => {
    expect(splitRequest({ ...REST, page })).toBeUndefined();
  });
});
