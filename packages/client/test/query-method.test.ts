import { createClient, type ClientOptions } from '@proj/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { cities, type City, contractService, problem, TOKEN } from './contract-service.ts';
import { type Answer, hangUp, json, raw } from './http-server.ts';
import { startClient } from './start-client.ts';

const FIRST = { model: 'cities', attributes: ['id', 'name'], page: 1, size: 10 } as const;
const SECOND = { ...FIRST, page: 2 } as const;

/** Answers as a service that takes QUERY, with a tag that names the state of the list. */
function takesQuery(rows: readonly City[] = cities(42)): Answer {
  const works = contractService(rows);
  return (request, response) => {
    response.setHeader('accept-query', 'application/json');
    if (request.method !== 'QUERY') return works(request, response);
    const etag = `"${rows.length}"`;
    response.setHeader('etag', etag);
    return request.headers['if-none-match'] === etag
      ? void response.writeHead(304, { 'data-version': 'newer' }).end()
      : works({ ...request, method: 'POST' }, response);
  };
}

/** Answers QUERY otherwise than POST. */
function refusing(answer: Answer): Answer {
  const takes = takesQuery();
  return (request, response) => (request.method === 'QUERY' ? answer : takes)(request, response);
}

async function start(answer: Answer, options: Partial<ClientOptions> = {}) {
  const { client, server } = await startClient(answer, options);
  const methods = (): string[] => server.requests.map(({ method }) => method);
  return { server, client, methods };
}

describe('a client', () => {
  it('sends queries by QUERY once the service has said that it takes it', async () => {
    const { client, server, methods } = await start(takesQuery());
    await client.model('cities');
    const pages = [await client.query(FIRST), await client.query(SECOND)];
    expect(pages.map(({ records }) => records[0]?.['id'])).toEqual([1, 11]);
    expect(
      (await client.all({ model: 'cities', attributes: ['id'], size: 20 })).records,
    ).toHaveLength(42);
    expect(methods()).toEqual(['GET', 'POST', 'QUERY', 'QUERY', 'QUERY', 'QUERY']);
    expect(server.requests[2]).toMatchObject({
      path: '/api/v1/dynamic/query',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
    });
  });

  it.each(['text/plain', '', 'application/jsonpath', 'application/json-seq'])(
    'sends queries by POST where the service reads %j otherwise',
    async (type) => {
      const works = contractService(cities(42));
      const { client, methods } = await start((request, response) => {
        response.setHeader('accept-query', type);
        works(request, response);
      });
      await client.query(FIRST);
      await client.query(FIRST);
      expect(methods()).toEqual(['POST', 'POST']);
    },
  );

  it('sends all queries by POST where it is to', async () => {
    const { client, methods } = await start(takesQuery(), { method: 'post' });
    await client.query(FIRST);
    await client.query(FIRST);
    expect(methods()).toEqual(['POST', 'POST']);
  });

  it.each([
    ['post', undefined],
    ['query', 'query'],
  ] as const)('sends queries by %s in a browser where `method` is %s', async (by, method) => {
    vi.stubGlobal('document', {});
    onTestFinished(() => void vi.unstubAllGlobals());
    const { client, methods } = await start(takesQuery(), method && { method });
    await client.query(FIRST);
    await client.query(FIRST);
    expect(methods()).toEqual(['POST', by.toUpperCase()]);
  });

  it('renews its token for a QUERY too', async () => {
    const tokens = [TOKEN, 'expired', TOKEN];
    const { client, methods } = await start(takesQuery(), { token: () => tokens.shift() ?? '' });
    await client.query(FIRST);
    expect((await client.query(SECOND)).number).toBe(2);
    expect(methods()).toEqual(['POST', 'QUERY', 'QUERY']);
  });

  it('throws the problems of the service as they are', async () => {
    const { client, methods } = await start(refusing(problem(403, 'forbidden')));
    await client.query(FIRST);
    await expect(client.query(FIRST)).rejects.toMatchObject({ status: 403, code: 'forbidden' });
    expect(methods()).toEqual(['POST', 'QUERY']);
  });

  it.each([
    ['a broken connection', hangUp],
    ['a 400 of a proxy', raw('<h1>Bad Request</h1>', 400, { 'content-type': 'text/html' })],
    ['a 403 of a firewall', raw('', 403)],
    ['a 405 of a proxy', raw('', 405)],
    ['a 405 of an older service', problem(405, 'method_not_allowed')],
    ['a 501 of a proxy', json({}, 501)],
  ])('returns to POST for good after %s', async (_what, answer) => {
    const { client, methods } = await start(refusing(answer));
    for (const page of [1, 2, 3])
      expect((await client.query({ ...FIRST, page })).number).toBe(page);
    expect(methods()).toEqual(['POST', 'QUERY', 'POST', 'POST']);
  });

  it('goes on with QUERY after a caller gave a request up', async () => {
    let waits = false;
    const { client, methods } = await start((request, response) => {
      if (!waits) takesQuery()(request, response);
    });
    await client.query(FIRST);
    waits = true;
    const controller = new AbortController();
    const given = client.query(FIRST, { signal: controller.signal });
    await vi.waitUntil(() => methods().length === 2);
    controller.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    waits = false;
    await client.query(FIRST);
    expect(methods()).toEqual(['POST', 'QUERY', 'QUERY']);
  });
});

describe('a client that revalidates', () => {
  it('is sent a page again only when it has changed', async () => {
    const rows = cities(42);
    const { client, server } = await start(takesQuery(rows), { revalidate: true });
    const read = async () => (await client.query(FIRST)).total;
    expect([await read(), await read(), await read()]).toEqual([42n, 42n, 42n]);
    expect((await client.query(SECOND)).records[0]).toEqual({ id: 11, name: 'City 11' });
    rows.push({ id: 43, name: 'City 43', population: 1 });
    expect([await read(), await read()]).toEqual([43n, 43n]);
    const asked = server.requests.map(({ headers }) => headers['if-none-match']);
    expect(asked).toEqual([undefined, undefined, '"42"', undefined, '"42"', '"43"']);
  });

  it('reads the newer headers of a page that is current', async () => {
    const { client } = await start(takesQuery(), { revalidate: true });
    await client.query(FIRST);
    const [sent, held] = [await client.query(FIRST), await client.query(FIRST)];
    expect([sent.dataVersion, held.dataVersion]).toEqual([null, 'newer']);
    expect(held.records).toEqual(sent.records);
  });

  it('holds nothing unless it is to', async () => {
    const { client, server } = await start(takesQuery());
    for (let times = 0; times < 3; times++) await client.query(FIRST);
    const asked = server.requests.map(({ headers }) => headers['if-none-match']);
    expect(asked).toEqual([undefined, undefined, undefined]);
  });
});

it.each([
  [{ method: 'get' }, 'method: expected "query" or "post"; got "get"'],
  [{ revalidate: 1 }, 'revalidate: expected true or false; got 1'],
])('refuses the options %j', (options, message) => {
  const wrong = { baseUrl: 'http://localhost', token: TOKEN, ...options } as ClientOptions;
  expect(() => createClient(wrong)).toThrow(new TypeError(message));
});
