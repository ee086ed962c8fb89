import type { TokenSource } from '@proj/client';
import { describe, expect, it } from 'vitest';

import { caught } from './caught.ts';
import { collect } from './collect.ts';
import { cities, contractService, problem, TOKEN } from './contract-service.ts';
import { inTurn, type Answer } from './http-server.ts';
import { startClient } from './start-client.ts';

const FIRST = { model: 'cities', attributes: ['id'], page: 1, size: 10 } as const;

const start = async (token: TokenSource, answer: Answer = contractService(cities(42))) =>
  startClient(answer, { token, retries: 1 });

/**
 * A function that keeps its token, which has expired at the start, until it is asked to make a new
 * one.
 */
function expired(renewed = TOKEN): { token: TokenSource; asked: boolean[] } {
  const asked: boolean[] = [];
  let kept = 'expired';
  const token: TokenSource = async ({ refresh }) => {
    asked.push(refresh);
    if (refresh) kept = renewed;
    return kept;
  };
  return { token, asked };
}

describe('a token that the service refuses', () => {
  it('is renewed by its function, and the request is repeated with its body', async () => {
    const { token, asked } = expired();
    const { client, server } = await start(token);
    expect((await client.query(FIRST)).total).toBe(42n);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer expired',
      `Bearer ${TOKEN}`,
    ]);
    expect(server.requests[1]?.body).toBe(server.requests[0]?.body);
    expect(asked.filter(Boolean)).toHaveLength(1);
  });

  it('is renewed for the catalogue too', async () => {
    const { client } = await start(expired().token);
    expect(await client.models()).toHaveLength(1);
  });

  it('is renewed once for the pages of a walk', async () => {
    const { token, asked } = expired();
    const { client, server } = await start(token);
    expect(
      await collect(
        client.records({ model: 'cities', attributes: ['id'], size: 5 }, { concurrency: 8 }),
      ),
    ).toHaveLength(42);
    expect(asked.filter(Boolean)).toHaveLength(1);
    expect(server.requests).toHaveLength(10);
  });

  it('is renewed only once: a second refusal is thrown', async () => {
    const { token, asked } = expired('expired-too');
    const { client, server } = await start(token);
    expect(await caught(client.query(FIRST))).toMatchObject({
      name: 'ProblemError',
      status: 401,
      code: 'unauthenticated',
    });
    expect(server.requests).toHaveLength(2);
    expect(asked.filter(Boolean)).toHaveLength(1);
  });

  it('is not renewed again in a repetition of the request', async () => {
    const { token, asked } = expired('expired-too');
    const overloaded = problem(503, 'overloaded', { headers: { 'retry-after': '0' } });
    const refused = contractService([]);
    const { client, server } = await start(token, inTurn(refused, overloaded, refused));
    expect(await caught(client.query(FIRST))).toMatchObject({ status: 401 });
    expect(server.requests).toHaveLength(3);
    expect(asked.filter(Boolean)).toHaveLength(1);
  });

  it('is thrown at once when it is fixed', async () => {
    const { client, server } = await start('another-token');
    expect(await caught(client.query(FIRST))).toMatchObject({ status: 401 });
    expect(server.requests).toHaveLength(1);
  });

  it('is not renewed for a 403, which a new one would meet again', async () => {
    const { token, asked } = expired();
    const { client } = await start(token, problem(403, 'forbidden'));
    expect(await caught(client.query(FIRST))).toMatchObject({ status: 403 });
    expect(asked).toEqual([false]);
  });

  it('lets the error of a renewal reach the caller', async () => {
    const lost = new Error('the login expired');
    const { client } = await start(({ refresh }) => {
      if (refresh) throw lost;
      return 'expired';
    });
    expect(await caught(client.query(FIRST))).toBe(lost);
  });
});
