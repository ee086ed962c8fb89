import { createClient } from '@proj/client';
import { expect, it } from 'vitest';

import { caught } from './caught.ts';
import { cities, contractService, TOKEN } from './contract-service.ts';
import { serve } from './http-server.ts';

const CITIES = { model: 'cities', attributes: ['id'], size: 10 };
const PAGE = { ...CITIES, page: 1 };

/** Calls as an untyped caller may write them. */
interface Untyped {
  readonly [name: string]: (...given: readonly unknown[]) => unknown;
}

async function start() {
  const server = await serve(contractService(cities(42)));
  const options = { baseUrl: server.url, token: TOKEN, retries: 0 };
  const client = createClient(options);
  return { server, options, client, untyped: { ...client } as unknown as Untyped };
}

/** What a function throws, at once or as a rejection. */
async function failureOf(call: () => unknown): Promise<unknown> {
  return caught((async () => call())());
}

it.each([
  [
    'records',
    [{ ...CITIES, onProgress: () => undefined }],
    'onProgress belongs in the second argument; it is in the first',
  ],
  [
    'pages',
    [{ ...CITIES, concurrency: 2 }],
    'concurrency belongs in the second argument; it is in the first',
  ],
  [
    'all',
    [{ ...CITIES, maxRestarts: 2 }],
    'maxRestarts belongs in the second argument; it is in the first',
  ],
  [
    'pages',
    [CITIES, { maxPages: 2 }],
    'maxPages belongs in the first argument; it is in the second',
  ],
  ['records', [CITIES, { maxRestarts: 2 }], 'maxRestarts is no option of it, but of all'],
  ['pages', [{ ...CITIES, page: 2 }], 'page is no option of it, but of query'],
  ['query', [PAGE, { timeoutMs: 5 }], 'timeoutMs is no option of it, but of createClient'],
  [
    'query',
    [{ ...PAGE, siez: 1 }],
    '"siez" is no option; the first argument takes model, attributes, size, filter, ' +
      'sort, total, related, page',
  ],
  [
    'pageOf',
    [{ ...CITIES, containing: { id: 1 }, page: 1 }],
    'page is no option of it, but of query',
  ],
  ['models', [{ abort: 1 }], '"abort" is no option; the first argument takes signal'],
  ['model', ['cities', { retries: 1 }], 'retries is no option of it, but of createClient'],
  ['model', ['cities', 7], 'expected an object as the second argument; got 7'],
  ['query', [], 'expected an object as the first argument; got nothing'],
  [
    'query',
    [{ ...PAGE, sort: '-population' }],
    "sort: expected an array, such as [{ attribute: 'population', direction: 'desc' }]; " +
      'got "-population"',
  ],
  [
    'query',
    [{ ...PAGE, sort: [{ attribute: 'id' }, { attribute: 'name', dir: 'desc' }] }],
    'sort[1]: "dir" is no member; it takes attribute, direction, nulls',
  ],
  [
    'records',
    [{ ...CITIES, filter: { and: [{ not: { attribute: 'id', op: 'eq', vlaue: 1 } }] } }],
    'filter.and[0].not: "vlaue" is no member; it takes attribute, op, value, time_zone',
  ],
  [
    'all',
    [{ ...CITIES, filter: { or: [], nulls: 'last' } }],
    'filter: "nulls" is no member; it takes or',
  ],
  [
    'all',
    [{ ...CITIES, filter: { related: 'visits', every: {} } }],
    'filter: "every" is no member; it takes related, some, none',
  ],
  [
    'query',
    [{ ...PAGE, filter: { not: { related: 'visits', none: { attribute: 'at', opp: 'eq' } } } }],
    'filter.not.none: "opp" is no member; it takes attribute, op, value, time_zone',
  ],
  ['facets', [{ model: 'cities' }], 'facets: expected an array; got nothing'],
  ['facets', [{ model: 'cities', facets: ['name'] }], 'facets[0]: expected an object; got "name"'],
  ['facets', [{ model: 'cities', facets: [null] }], 'facets[0]: expected an object; got null'],
  ['query', [{ ...PAGE, related: ['visits'] }], 'related: expected an object; got an array of 1'],
  ['query', [{ ...PAGE, related: { n: 'visits' } }], 'related.n: expected an object; got "visits"'],
  ['groups', [{ model: 'cities', by: 'name' }], 'by: expected an array; got "name"'],
  ['groups', [{ model: 'cities', by: ['name', 5] }], 'by[1]: expected an object; got 5'],
  [
    'groups',
    [{ model: 'cities', by: ['name'], aggregates: { n: 'count' } }],
    'aggregates.n: expected an object; got "count"',
  ],
])('%s refuses %j and sends nothing', async (name, given, message) => {
  const { server, untyped } = await start();
  const failure = await failureOf(() => untyped[name]?.(...given));
  expect(failure).toBeInstanceOf(TypeError);
  expect(failure).toMatchObject({ message: `${name}: ${message}` });
  expect(server.requests).toHaveLength(0);
});

it.each(['next', 'previous', 'at'])('refuses an unknown option of page.%s', async (name) => {
  const { server, client } = await start();
  const page = { ...(await client.query({ ...PAGE, page: 2 })) } as unknown as Untyped;
  const given = name === 'at' ? [3, { timeoutMs: 1 }] : [{ timeoutMs: 1 }];
  expect(await failureOf(() => page[name]?.(...given))).toMatchObject({
    name: 'TypeError',
    message: `${name}: timeoutMs is no option of it, but of createClient`,
  });
  expect(server.requests).toHaveLength(1);
});

it('refuses an unknown option of createClient, and says whose it is', async () => {
  const { options } = await start();
  const untyped = createClient as unknown as (...given: readonly unknown[]) => unknown;
  expect(() => untyped({ ...options, timeout: 5 })).toThrow(
    new TypeError(
      'createClient: "timeout" is no option; the first argument takes baseUrl, token, fetch, ' +
        'timeoutMs, deadlineMs, retries, maxRetryAfterMs, maxReplyBytes, int64, monotonic, ' +
        'method, revalidate, catalogueTag',
    ),
  );
  expect(() => untyped({ ...options, concurrency: 5 })).toThrow(
    new TypeError('createClient: concurrency is no option of it, but of pages, records, all'),
  );
});

it('takes a member whose value is undefined for absent', async () => {
  const { untyped } = await start();
  const page = await untyped['query']?.({ ...PAGE, onProgress: undefined }, { retries: undefined });
  expect(page).toMatchObject({ total: 42n });
});
