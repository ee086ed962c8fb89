import { createClient, InvalidReplyError } from '@proj/client';
import { describe, expect, it } from 'vitest';

import { caught } from './caught.ts';
import { cities, contractService, TOKEN } from './contract-service.ts';
import { raw, serve } from './http-server.ts';

const FIRST = { model: 'cities', attributes: ['id'], page: 1, size: 10 } as const;

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])(
    'with the status %i is not followed to another origin',
    async (status) => {
      const other = await serve(contractService(cities(42)));
      const server = await serve(
        raw('', status, { location: `${other.url}/api/v1/dynamic/query` }),
      );
      const client = createClient({ baseUrl: server.url, token: TOKEN });
      const error = await caught(client.query(FIRST));
      expect(error).toBeInstanceOf(InvalidReplyError);
      expect(error).toMatchObject({
        message: expect.stringContaining(`a redirect (status ${status})`),
      });
      await caught(client.models());
      expect(server.requests).toHaveLength(2);
      expect(other.requests).toEqual([]);
    },
  );

  it('is not followed on the same origin either', async () => {
    const server = await serve(raw('', 307, { location: '/elsewhere' }));
    const error = await caught(createClient({ baseUrl: server.url, token: TOKEN }).query(FIRST));
    expect(error).toBeInstanceOf(InvalidReplyError);
    expect(server.requests).toHaveLength(1);
  });

  it('is recognised where a browser hides its status', async () => {
    const hidden = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' });
    const client = createClient({
      baseUrl: 'https://data.example.com',
      token: TOKEN,
      fetch: async () => hidden,
    });
    const error = await caught(client.query(FIRST));
    expect(error).toMatchObject({
      name: 'InvalidReplyError',
      message: expect.stringContaining('a redirect (status 0)'),
    });
  });
});
