import { expect, it } from 'vitest';

import { collect } from './collect.ts';
import { cities, CITIES_MODEL, contractService } from './contract-service.ts';
import { type Answer, json } from './http-server.ts';
import { startClient } from './start-client.ts';

const CITIES = { model: 'cities', attributes: ['id'], size: 2 } as const;

/** Replies have the first cities as records, and another number of them as total. */
const over = (records: number, total: number): Answer =>
  contractService(cities(records), { counted: cities(total) });

it('reads a page whose records and total are of different states, and says that they are', async () => {
  const { client } = await startClient(over(2, 1));
  const page = await client.query({ ...CITIES, page: 1 });
  expect(page).toMatchObject({ records: [{ id: 1 }, { id: 2 }], total: 1n, isApproximate: true });
  const { client: other } = await startClient(over(1, 2));
  expect(await other.query({ ...CITIES, page: 1 })).toMatchObject({ total: 2n, hasNext: false });
});

it('walks in the order of pages as far as each total says', async () => {
  const { client } = await startClient(over(3, 5));
  const pages = await collect(client.pages(CITIES));
  expect(pages.map(({ records }) => records.length)).toEqual([2, 1, 0]);
});

it.each([
  ['lacks records', 5, 2],
  ['has records that are gone', 3, 50],
])('reads each record once in the order of the key where the total %s', async (_, rows, total) => {
  const { client } = await startClient(over(rows, total));
  const list = { ...CITIES, order: 'key' } as const;
  const { records } = await client.all(list);
  expect(records).toEqual(cities(rows).map(({ id }) => ({ id })));
});

it('reads facets whose counts and total are of different states', async () => {
  const facet = { attribute: 'name', values: [{ value: 'a', count: '2' }], distinct: '1' };
  const body = { facets: [{ ...facet, nulls: '0' }], total: '1' };
  const { client } = await startClient(json(body, 200, { 'data-state': 'approximate' }));
  const query = { model: CITIES_MODEL.name, facets: [{ attribute: 'name', values: 5 }] } as const;
  expect(await client.facets(query)).toMatchObject({
    facets: [{ values: [{ count: 2n }] }],
    total: 1n,
    isApproximate: true,
  });
});
