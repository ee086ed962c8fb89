import { createClient } from '@proj/client';
import { describe, expect, it } from 'vitest';

import { cities, contractService, problem, TOKEN } from './contract-service.ts';
import { serve } from './http-server.ts';

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

/** A service that understands no position, though its replies may have one. */
async function startRefusing(position?: string) {
  const answer = contractService(cities(5));
  const refuse = problem(400, 'invalid_position');
  const server = await serve((request, response) => {
    if (position !== undefined) response.setHeader('data-position', position);
    (request.headers['data-at-least'] === undefined ? answer : refuse)(request, response);
  });
  const client = createClient({ baseUrl: server.url, token: TOKEN });
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
    const { client, asked } = await startRefusing('0/1@1.abcdefgh');
    await client.query(CITIES);
    expect((await client.query(CITIES)).records).toHaveLength(5);
    expect(asked()).toEqual([undefined, '0/1@1.abcdefgh', undefined]);
  });

  it('fails once where the service does not understand what the caller asks for', async () => {
    const { client, asked } = await startRefusing();
    client.include('0-1-4711');
    await expect(client.query(CITIES)).rejects.toMatchObject({ code: 'invalid_position' });
    expect((await client.query(CITIES)).records).toHaveLength(5);
    expect(asked()).toEqual(['0-1-4711', undefined]);
  });
});
