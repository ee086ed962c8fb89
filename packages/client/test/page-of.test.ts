import { ProblemError } from '@proj/client';
import { describe, expect, it } from 'vitest';

import { caught } from './caught.ts';
import { cities, contractService } from './contract-service.ts';
import { json } from './http-server.ts';
import { startClient } from './start-client.ts';

const CITIES = { model: 'cities', attributes: ['id', 'name'], size: 10 } as const;

describe('the page of a record', () => {
  it('is asked for by the key, and is a page like any other', async () => {
    const { client, server } = await startClient(contractService(cities(42)));
    const page = await client.pageOf({ ...CITIES, containing: { id: 17 } });
    expect(page).toMatchObject({ number: 2, size: 10, total: 42n, pageCount: 5n, hasNext: true });
    expect(page.records.map(({ id }) => id)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      query_model: 'cities',
      query_attributes: ['id', 'name'],
      page: { containing: { id: 17 }, size: 10 },
    });
    const others = [await page.next(), await page.previous(), await page.at(5)];
    expect(others.map((other) => other?.number)).toEqual([3, 1, 5]);
    expect(JSON.parse(server.requests[1]?.body ?? '')).toMatchObject({
      page: { page: 3, size: 10 },
    });
  });

  it('has the order and the filter of its list', async () => {
    const { client } = await startClient(contractService(cities(42)));
    const sort = [{ attribute: 'id', direction: 'desc' }] as const;
    const filter = { attribute: 'id', op: 'gt', value: 10 } as const;
    const page = await client.pageOf({ ...CITIES, sort, filter, containing: { id: 11 } });
    expect(page).toMatchObject({ number: 4, total: 32n });
    expect(page.records.at(-1)).toEqual({ id: 11, name: 'City 11' });
  });

  it('may have its total counted to a limit, as the pages around it', async () => {
    const { client, server } = await startClient(contractService(cities(42)));
    const page = await client.pageOf({ ...CITIES, containing: { id: 17 }, total: { upTo: 30 } });
    expect(page).toMatchObject({ number: 2, total: null, totalAtLeast: 31n, hasNext: true });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({
      query_total: { up_to: 30 },
    });
    expect(await page.next()).toMatchObject({ number: 3, total: null, totalAtLeast: 31n });
  });

  it('takes keys past 2^53 as bigints, which travel as strings', async () => {
    const { client, server } = await startClient(contractService(cities(1)));
    await caught(client.pageOf({ ...CITIES, containing: { id: 2n ** 60n } }));
    expect(server.requests[0]?.body).toContain('"containing":{"id":"1152921504606846976"}');
  });

  it('that the list does not have is a problem', async () => {
    const { client } = await startClient(contractService(cities(42)));
    const error = await caught(client.pageOf({ ...CITIES, containing: { id: 43 } }));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ code: 'record_not_in_list', status: 400 });
  });

  it('has a size in its range, or nothing is sent', async () => {
    const { client, server } = await startClient(contractService(cities(42)));
    const wrong = client.pageOf({ ...CITIES, size: 0, containing: { id: 1 } });
    expect(await caught(wrong)).toBeInstanceOf(RangeError);
    expect(server.requests).toHaveLength(0);
  });

  it.each<[string, object, string, number?]>([
    ['of no page', { page: '0' }, '/page/page'],
    ['of a page past 2^53', { page: '9007199254740993' }, '/page/page'],
    ['of another size', { size: '11' }, '/page/size'],
    ['that does not have so many records', { total: '15', has_next: false }, '/result'],
    ['without records, as one of them is the record', { page: '9', has_next: false }, '/result', 0],
  ])('is no reply %s', async (_what, members, pointer, records = 10) => {
    const page = { page: '2', size: '10', total: '42', has_next: true, ...members };
    const result = Array.from({ length: records }, (_, id) => ({ id, name: '' }));
    const { client } = await startClient(json({ result, page }));
    const error = await caught(client.pageOf({ ...CITIES, containing: { id: 1 } }));
    expect(error).toMatchObject({ name: 'InvalidReplyError', mismatch: { pointer } });
  });
});
