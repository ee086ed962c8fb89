import { KeyOrderError, type Filter } from '@proj/client';
import { FILTER_LIMITS, type ModelEntry, readFilter } from '@proj/contract';
import { expect, it } from 'vitest';

import { caught } from './caught.ts';
import { attribute, CITIES_MODEL, contractService } from './contract-service.ts';
import { startClient } from './start-client.ts';

const PLACES: ModelEntry = {
  ...CITIES_MODEL,
  name: 'places',
  attributes: [attribute('a', 'int32'), attribute('b', 'int32')],
  key: ['a', 'b'],
};

const ROWS = Array.from({ length: 12 }, (_, index) => ({ a: index % 3, b: index }));

const leaf: Filter = { attribute: 'b', op: 'gte', value: 0 };
const many = (count: number): Filter[] => Array.from({ length: count }, () => leaf);

function nested(depth: number): Filter {
  return depth === 1 ? leaf : { or: [nested(depth - 1), leaf] };
}

async function walk(filter: Filter) {
  const { client, server } = await startClient(contractService(ROWS, { model: PLACES }));
  const list = { model: 'places', attributes: ['b'], size: 5, order: 'key' } as const;
  const reading = client.all({ ...list, filter });
  return { reading, server };
}

it.each<[string, Filter, string]>([
  ['has no level left', nested(5), '6 deep and has 9 comparisons, of at most 5 and 50'],
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
