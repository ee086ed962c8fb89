import { pageMetadata } from '@proj/paging';
import { createClient } from '@proj/client';
import { describe, expect, it } from 'vitest';

import { collect } from './collect.ts';
import { cities, CITIES_MODEL, contractService, TOKEN } from './contract-service.ts';
import { json, serve } from './http-server.ts';
import { startClient } from './start-client.ts';

const CITIES = { model: 'cities', attributes: ['id', 'name'], size: 10 } as const;

describe('one page', () => {
  it('holds the records and the numbers of the reply', async () => {
    const { client, server } = await startClient(contractService(cities(42)));
    const page = await client.query({ ...CITIES, page: 3 });
    expect(page).toMatchObject({ number: 3, size: 10, total: 42n, pageCount: 5n, hasNext: true });
    expect(page.records.map(({ id }) => id)).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
    expect(page.records[0]).toEqual({ id: 21, name: 'City 21' });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/dynamic/query',
      body: '{"query_model":"cities","query_attributes":["id","name"],"page":{"page":3,"size":10}}',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        'content-length': '85',
        accept: 'application/json',
      },
    });
  });

  it('past the end is empty and knows the total', async () => {
    const { client } = await startClient(contractService(cities(42)));
    const page = await client.query({ ...CITIES, page: 6 });
    expect(page).toMatchObject({
      records: [],
      number: 6,
      total: 42n,
      pageCount: 5n,
      hasNext: false,
    });
    expect(await page.next()).toBeNull();
    expect((await page.previous())?.records).toHaveLength(2);
  });

  it('is asked for with its filter and its sort, as are the pages after it', async () => {
    const { client, server } = await startClient(contractService(cities(42)));
    const filter = { attribute: 'population', op: 'gte', value: 1000 } as const;
    const sort = [{ attribute: 'population', direction: 'desc' }] as const;
    await client.query({ ...CITIES, filter, sort, page: 1 }).then((page) => page.next());
    await collect(client.pages({ ...CITIES, filter, sort, from: 5 }));
    const bodies: unknown[] = server.requests.map(({ body }) => JSON.parse(body));
    expect(bodies).toHaveLength(3);
    for (const body of bodies)
      expect(body).toMatchObject({ query_filter: filter, query_sort: sort });
  });

  it('is filtered by numbers that JSON does not have', async () => {
    const { client, server } = await startClient(contractService(cities(1)));
    const value = [Number.NaN, Infinity, -Infinity, 1.5];
    const filter = { attribute: 'population', op: 'in', value } as const;
    await client.query({ ...CITIES, filter, page: 1 });
    expect(server.requests[0]?.body).toContain('"value":["NaN","Infinity","-Infinity",1.5]');
  });

  it('of an empty list is empty and makes no page', async () => {
    const { client } = await startClient(contractService([]));
    expect(await client.query({ ...CITIES, page: 1 })).toMatchObject({
      records: [],
      total: 0n,
      pageCount: 0n,
      hasNext: false,
    });
  });

  it('leads to its neighbours and to any other page', async () => {
    const { client } = await startClient(contractService(cities(42)));
    const second = await client.query({ ...CITIES, page: 2 });
    expect((await second.next())?.number).toBe(3);
    const first = await second.previous();
    expect(first?.number).toBe(1);
    expect(await first?.previous()).toBeNull();
    const last = await second.at(5);
    expect(last.records.map(({ id }) => id)).toEqual([41, 42]);
    expect(await last.next()).toBeNull();
  });

  it('is asked for by bigints as by numbers, since counts of pages are bigints', async () => {
    const { client, server } = await startClient(contractService(cities(42)));
    const asked = { ...CITIES, size: 10n as never, total: { upTo: 50n as never } };
    const page = await client.query({ ...asked, page: 4n });
    expect(page).toMatchObject({ number: 4, size: 10, pageCount: 5n });
    expect(await page.at(5n)).toMatchObject({ number: 5, size: 10, hasNext: false });
    expect(await page.next()).toMatchObject({ number: 5 });
    const numbers = (await collect(client.pages({ ...asked, from: 4n }))).map((one) => one.number);
    expect(numbers).toEqual([4, 5]);
    for (const { body } of server.requests)
      expect(body).toMatch(/"page":\{"page":[45],"size":10\},"query_total":\{"up_to":50\}/);
    await expect(page.at(2n ** 53n)).rejects.toThrow(RangeError);
  });

  it('keeps a total past 2^53 exact', async () => {
    const total = 9_223_372_036_854_775_807n;
    const { client } = await startClient(
      json({ result: [{ id: 1 }, { id: 2 }], page: pageMetadata({ page: 7, size: 2 }, total) }),
    );
    const page = await client.query({ model: 'events', attributes: ['id'], page: 7, size: 2 });
    expect(page.total).toBe(total);
    expect(page.pageCount).toBe(4_611_686_018_427_387_904n);
    expect(page.hasNext).toBe(true);
  });

  it.each([
    [9_007_199_254_740_991n, 9_007_199_254_740_991],
    [9_007_199_254_740_992n, null],
    [9_007_199_254_740_993n, null],
  ])('has a total of %s as the number %s', async (total, number) => {
    const { client } = await startClient(
      json({ result: [{ id: 1 }], page: pageMetadata({ page: 7, size: 1 }, total) }),
    );
    const page = await client.query({ model: 'events', attributes: ['id'], page: 7, size: 1 });
    expect(page.totalNumber).toBe(number);
  });

  it('has no number for a total that was not asked for', async () => {
    const { client } = await startClient(contractService(cities(42)));
    const page = await client.query({ ...CITIES, page: 1, total: 'none' });
    expect([page.total, page.totalNumber]).toEqual([null, null]);
    expect((await client.all(CITIES)).totalNumber).toBe(42);
  });

  it.each([
    { page: 0, size: 10 },
    { page: 1.5, size: 10 },
    { page: 2 ** 53, size: 10 },
    { page: 1, size: 0 },
    { page: 1, size: Number.NaN },
  ])('is refused before anything is sent for page $page of size $size', async (numbers) => {
    const { client, server } = await startClient(contractService(cities(42)));
    await expect(client.query({ ...CITIES, ...numbers })).rejects.toThrow(RangeError);
    expect(server.requests).toEqual([]);
  });
});

describe('a walk over all pages', () => {
  it('reads 42 records in tens as four full pages and a page of 2', async () => {
    const { client, server } = await startClient(contractService(cities(42)));
    const pages = await collect(client.pages(CITIES));
    expect(pages.map(({ records }) => records.length)).toEqual([10, 10, 10, 10, 2]);
    expect(pages.flatMap(({ records }) => records.map(({ id }) => id))).toEqual(
      cities(42).map(({ id }) => id),
    );
    expect(server.requests).toHaveLength(5);
  });

  it('starts at the page that `from` names', async () => {
    const { client, server } = await startClient(contractService(cities(42)));
    const pages = await collect(client.pages({ ...CITIES, from: 4 }));
    expect(pages.map(({ number }) => number)).toEqual([4, 5]);
    expect(server.requests).toHaveLength(2);
    const beyond = await collect(client.pages({ ...CITIES, from: 9 }));
    expect(beyond).toMatchObject([{ number: 9, records: [] }]);
  });

  it('requests a page only when it is asked for, if it reads one at a time', async () => {
    const { client, server } = await startClient(contractService(cities(42)));
    for await (const page of client.pages(CITIES, { concurrency: 1 })) if (page.number === 2) break;
    expect(server.requests).toHaveLength(2);
  });

  it('can be iterated again from the start', async () => {
    const { client } = await startClient(contractService(cities(12)));
    const records = client.records(CITIES);
    expect(await collect(records)).toHaveLength(12);
    expect(await collect(records)).toHaveLength(12);
  });

  it('refuses a limit of pages that is no limit, at once', async () => {
    const { client } = await startClient(contractService([]));
    expect(() => client.pages({ ...CITIES, maxPages: 0 })).toThrow(RangeError);
    expect(() => client.records({ ...CITIES, maxPages: Number.NaN })).toThrow(
      'maxPages: expected a whole number',
    );
  });
});

describe('the catalogue', () => {
  it('lists the models and returns one by its name', async () => {
    const { client } = await startClient(contractService([]));
    expect(await client.models()).toEqual([CITIES_MODEL]);
    expect(await client.model('cities')).toEqual(CITIES_MODEL);
  });

  it('escapes a name for its path', async () => {
    const { client, server } = await startClient(contractService([]));
    await expect(client.model('a/b c?d')).rejects.toThrow('404 not_found');
    expect(server.requests[0]?.path).toBe('/api/v1/dynamic/models/a%2Fb%20c%3Fd');
  });
});

describe('the base URL', () => {
  it.each(['', '/', '/prefix', '/prefix/', '/two/parts'])('may end in "%s"', async (end) => {
    const server = await serve(contractService(cities(3), { prefix: end.replace(/\/$/, '') }));
    const client = createClient({ baseUrl: server.url + end, token: TOKEN });
    expect((await client.query({ ...CITIES, page: 1 })).total).toBe(3n);
    expect(await client.models()).toHaveLength(1);
  });
});
