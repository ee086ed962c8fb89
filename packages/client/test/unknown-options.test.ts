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
    'records: onProgress belongs in the second argument; it is in the first',
  ],
  [
    'pages',
    [{ ...CITIES, concurrency: 2 }],
    'pages: concurrency belongs in the second argument; it is in the first',
  ],
  [
    'all',
    [{ ...CITIES, maxRestarts: 2 }],
    'all: maxRestarts belongs in the second argument; it is in the first',
  ],
  [
    'pages',
    [CITIES, { maxPages: 2 }],
    'pages: maxPages belongs in the first argument; it is in the second',
  ],
  ['records', [CITIES, { maxRestarts: 2 }], 'records: maxRestarts is no option of it, but of all'],
  ['pages', [{ ...CITIES, page: 2 }], 'pages: page is no option of it, but of query'],
  ['query', [PAGE, { timeoutMs: 5 }], 'query: timeoutMs is no option of it, but of createClient'],
  [
    'query',
    [{ ...PAGE, siez: 1 }],
    'query: "siez" is no option; the first argument takes model, attributes, size, filter, ' +
      'sort, total, related, page',
  ],
  [
    'pageOf',
    [{ ...CITIES, containing: { id: 1 }, page: 1 }],
    'pageOf: page is no option of it, but of query',
  ],
  ['models', [{ abort: 1 }], 'models: "abort" is no option; the first argument takes signal'],
  ['model', ['cities', { retries: 1 }], 'model: retries is no option of it, but of createClient'],
  ['model', ['cities', 7], 'model: expected an object as the second argument; got 7'],
  ['query', [], 'query: expected an object as the first argument; got nothing'],
  [
    'query',
    [{ ...PAGE, sort: '-population' }],
    "query: sort: expected an array, such as [{ attribute: 'population', direction: 'desc' }]; " +
      'got "-population"',
  ],
  [
    'query',
    [{ ...PAGE, sort: [{ attribute: 'id' }, { attribute: 'name', dir: 'desc' }] }],
    'query: sort[1]: "dir" is no member; it takes attribute, direction, nulls',
  ],
  [
    'records',
    [{ ...CITIES, filter: { and: [{ not: { attribute: 'id', op: 'eq', vlaue: 1 } }] } }],
    'records: filter.and[0].not: "vlaue" is no member; it takes attribute, op, value, time_zone',
  ],
  [
    'all',
    [{ ...CITIES, filter: { or: [], nulls: 'last' } }],
    'all: filter: "nulls" is no member; it takes or',
  ],
  [
    'all',
    [{ ...CITIES, filter: { related: 'visits', every: {} } }],
    'all: filter: "every" is no member; it takes related, some, none',
  ],
  [
    'query',
    [{ ...PAGE, filter: { not: { related: 'visits', none: { attribute: 'at', opp: 'eq' } } } }],
    'query: filter.not.none: "opp" is no member; it takes attribute, op, value, time_zone',
  ],
  ['facets', [{ model: 'cities' }], 'facets: facets: expected an array; got nothing'],
  [
    'facets',
    [{ model: 'cities', facets: ['name'] }],
    'facets: facets[0]: expected an object; got "name"',
  ],
  [
    'facets',
    [{ model: 'cities', facets: [null] }],
    'facets: facets[0]: expected an object; got null',
  ],
  [
    'query',
    [{ ...PAGE, related: ['visits'] }],
    'query: related: expected an object; got an array of 1',
  ],
  [
    'query',
    [{ ...PAGE, related: { n: 'visits' } }],
    'query: related.n: expected an object; got "visits"',
  ],
  ['groups', [{ model: 'cities', by: 'name' }], 'groups: by: expected an array; got "name"'],
  ['groups', [{ model: 'cities', by: ['name', 5] }], 'groups: by[1]: expected an object; got 5'],
  [
    'groups',
    [{ model: 'cities', by: ['name'], aggregates: { n: 'count' } }],
    'groups: aggregates.n: expected an object; got "count"',
  ],
])('%s refuses %j and sends nothing', async (name, given, message) => {
  const { server, untyped } = await start();
  const failure = await failureOf(() => untyped[name]?.(...given));
  expect(failure).toBeInstanceOf(TypeError);
  expect(failure).toMatchObject({ message });
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
