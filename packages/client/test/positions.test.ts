import { createClient } from '@proj/client';
import { describe, expect, it } from 'vitest';

import { cities, contractService, problem, TOKEN } from './contract-service.ts';
import { type Answer, serve } from './http-server.ts';

const CITIES = { model: 'cities', attributes: ['id'], page: 1, size: 10 } as const;

/** A service that says of each reply which state it shows, and what requests asked for. */
async function startReplicated(options: { readonly monotonic?: boolean } = {}) {
  let replies = 0;
  const answer = contractService(cities(5));
  const server = await serve((request, response) => {
    replies += 1;
    response.setHeader('data-age', replies % 2 === 1 ? '0.25' : '0');
    response.setHeader('data-position', `0/${replies}@1.abcdefgh`);
    answer(request, response);
  });
  const client = createClient({ baseUrl: server.url, token: TOKEN, ...options });
  const asked = (): unknown[] => server.requests.map(({ headers }) => headers['data-at-least']);
  return { client, asked };
}

describe('a client of a service whose replicas answer too', () => {
  it('asks for what it was shown, and says how old a page may be', async () => {
    const { client, asked } = await startReplicated();
    const pages = [await client.query(CITIES), await client.query(CITIES)];
    await client.query(CITIES);
    expect(asked()).toEqual([undefined, '0/1@1.abcdefgh', '0/2@1.abcdefgh']);
    expect(pages.map(({ dataAge }) => dataAge)).toEqual([0.25, 0]);
  });

  it('asks for all that was shown by requests at one time', async () => {
    const { client, asked } = await startReplicated();
    await Promise.all([client.query(CITIES), client.query(CITIES)]);
    await client.query(CITIES);
    await client.query(CITIES);
    expect(String(asked()[2]).split(', ').toSorted()).toEqual(['0/1@1.abcdefgh', '0/2@1.abcdefgh']);
    expect(asked()[3]).toBe('0/3@1.abcdefgh');
  });

  it("asks for the caller's own write", async () => {
    const { client, asked } = await startReplicated({ monotonic: false });
    client.include('0-1-4711');
    await client.query(CITIES);
    await client.query(CITIES);
    expect(asked()).toEqual(['0-1-4711', '0-1-4711']);
    expect(() => client.include('')).toThrow('include: expected a position');
  });

  it('asks for nothing where it should not', async () => {
    const { client, asked } = await startReplicated({ monotonic: false });
    await client.query(CITIES);
    await client.query(CITIES);
    expect(asked()).toEqual([undefined, undefined]);
  });

  it('asks for nothing that the service does not understand', async () => {
    const answer = contractService(cities(5));
    const refusing: Answer = (request, response) =>
      (request.headers['data-at-least'] === undefined ? answer : problem(400, 'invalid_position'))(
        request,
        response,
      );
    const server = await serve(refusing);
    const client = createClient({ baseUrl: server.url, token: TOKEN });
    client.include('0-1-4711');
    expect((await client.query(CITIES)).records).toHaveLength(5);
    await client.query(CITIES);
    expect(server.requests).toHaveLength(3);
  });
});
