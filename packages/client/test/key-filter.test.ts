import { createClient, KeyOrderError, type Filter } from '@proj/client';
import { FILTER_LIMITS, type ModelEntry, readFilter } from '@proj/contract';
import { expect, it } from 'vitest';

import { caught } from './caught.ts';
import { attribute, CITIES_MODEL, contractService, TOKEN } from './contract-service.ts';
import { serve } from './http-server.ts';

const PLACES: ModelEntry = {
  ...CITIES_MODEL,
  name: 'places',
  attributes: [attribute('a', 'int32'), attribute('b', 'int32')],
  key: ['a', 'b'],
};

const ROWS = Array.from({ length: 12 }, (_, index) => ({ a: index % 3, b: index }));

const leaf: Filter = { attribute: 'b', op: 'gte', value: 0 };
const many = (count: number): Filter[] => Array.from({ length: count }, () => leaf);

function nested(depth: number, group: 'and' | 'or'): Filter {
  if (depth === 1) return leaf;
  const inner = [nested(depth - 1, group), leaf];
  return group === 'and' ? { and: inner } : { or: inner };
}

async function walk(filter: Filter) {
  const server = await serve(contractService(ROWS, { model: PLACES }));
  const client = createClient({ baseUrl: server.url, token: TOKEN, retries: 0 });
  const list = { model: 'places', attributes: ['b'], size: 5, order: 'key' } as const;
  const reading = client.all({ ...list, filter });
  return { reading, server };
}

it.each<[string, Filter]>([
  ['of as many levels as there may be, if it begins with "and"', nested(5, 'and')],
  ['of one level less, if it begins with anything else', nested(4, 'or')],
  ['that leaves four comparisons to a key of two attributes', { and: many(46) }],
])('a walk by key takes a filter %s', async (_which, filter) => {
  expect(readFilter(filter, []).errors).toEqual([]);
  const { reading } = await walk(filter);
  expect((await reading).records).toHaveLength(12);
});

it.each<[string, Filter, string]>([
  ['has no level left', nested(5, 'or'), '6 deep and has 9 comparisons, of at most 5 and 50'],
  ['has too few comparisons left', { or: many(47) }, '5 deep and has 51 comparisons'],
])(
  'a walk by key is refused before its first page where its filter %s',
  async (_, filter, text) => {
    expect(readFilter(filter, []).errors).toEqual([]);
    const { reading, server } = await walk(filter);
    const error = await caught(reading);
    expect(error).toBeInstanceOf(KeyOrderError);
    expect(String(error)).toContain(text);
    expect(server.requests.map(({ method }) => method)).toEqual(['GET']);
    expect(FILTER_LIMITS).toMatchObject({ depth: 5, leaves: 50 });
  },
);
