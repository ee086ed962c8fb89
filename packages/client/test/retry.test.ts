import {
  createClient,
  NetworkError,
  ProblemError,
  TimeoutError,
  type ClientOptions,
} from '@proj/client';
import { describe, expect, it, vi } from 'vitest';

import { caught } from './caught.ts';
import { cities, contractService, problem, TOKEN } from './contract-service.ts';
import { hangUp, inTurn, raw, serve, type Answer } from './http-server.ts';
import { withClock } from './with-clock.ts';

const FIRST = { model: 'cities', attributes: ['id'], page: 1, size: 10 } as const;
const works = contractService(cities(42));
const overloaded = problem(503, 'overloaded', { headers: { 'retry-after': '0' } });

const breakOff: Answer = (_request, response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"result":[', () => response.destroy());
};

async function start(answer: Answer, options: Partial<ClientOptions> = {}) {
  const server = await serve(answer);
  return { server, client: createClient({ baseUrl: server.url, token: TOKEN, ...options }) };
}

const refused = (headers: Record<string, string> = {}): Response =>
  new Response('', { status: 503, headers });

describe('a repetition', () => {
  it('follows a 503 when Retry-After says, and no sooner', async () => {
    const { client, fetch } = withClock(() => refused({ 'retry-after': '1' }), { retries: 1 });
    const error = caught(client.query(FIRST));
    await vi.advanceTimersByTimeAsync(999);
    expect(fetch).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(await error).toMatchObject({ status: 503, retryAfterMs: 1000 });
  });

  it('follows however the clock is set meanwhile', async () => {
    const { client, fetch } = withClock(
      () => {
        vi.setSystemTime(Date.now() + 3_600_000);
        return refused({ 'retry-after': '1' });
      },
      { retries: 1 },
    );
    const error = caught(client.query(FIRST));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(await error).toMatchObject({ status: 503 });
  });

  it.each([408, 429, 502, 503, 504])('follows the status %i', async (status) => {
    const { client, server } = await start(inTurn(raw('', status, { 'retry-after': '0' }), works));
    expect((await client.query(FIRST)).total).toBe(42n);
    expect(server.requests).toHaveLength(2);
  });

  it('follows a connection that breaks off, before the reply or within it', async () => {
    const { client, server } = await start(inTurn(hangUp, breakOff, works));
    expect((await client.query(FIRST)).total).toBe(42n);
    expect(server.requests).toHaveLength(3);
  });

  it('sends what the first attempt sent, with a token that it asks for again', async () => {
    const tokens = ['expires', TOKEN];
    const { client, server } = await start(inTurn(overloaded, works), {
      token: async () => tokens.shift() ?? '',
    });
    expect((await client.query(FIRST)).total).toBe(42n);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer expires',
      `Bearer ${TOKEN}`,
    ]);
    expect(server.requests[1]?.body).toBe(server.requests[0]?.body);
  });

  it('is made for the catalogue too', async () => {
    const { client } = await start(inTurn(overloaded, works));
    expect(await client.models()).toHaveLength(1);
  });

  it.each([
    [2, 'by default', {}],
    [0, 'where `retries` says so', { retries: 0 }],
  ])('is made %i times %s, and then the problem is thrown', async (times, _when, options) => {
    const { client, server } = await start(overloaded, options);
    const error = await caught(client.query(FIRST));
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ status: 503, retryAfterMs: 0 });
    expect(server.requests).toHaveLength(times + 1);
  });
});

describe('no repetition', () => {
  it.each([
    [400, 'invalid_request'],
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [413, 'body_too_large'],
    [500, 'internal'],
    [504, 'query_timeout'],
  ] as const)('follows %i %s', async (status, code) => {
    const { client, server } = await start(
      problem(status, code, { headers: { 'retry-after': '0' } }),
    );
    await expect(client.query(FIRST)).rejects.toMatchObject({ status, code });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['maxRetryAfterMs', '11', {}],
    ['what remains of deadlineMs', '5', { deadlineMs: 2_000 }],
  ])(
    'follows a Retry-After above %s: the problem is thrown at once',
    async (_limit, seconds, options) => {
      const { client, server } = await start(
        problem(429, 'rate_limited', { headers: { 'retry-after': seconds } }),
        options,
      );
      await expect(client.query(FIRST)).rejects.toMatchObject({
        code: 'rate_limited',
        retryAfterMs: Number(seconds) * 1000,
      });
      // Whoever had waited would have asked again.
      expect(server.requests).toHaveLength(1);
    },
  );

  it('follows an attempt that timed out', async () => {
    const { client, fetch } = withClock(async () => new Promise(() => undefined), {
      timeoutMs: 50,
    });
    const error = caught(client.query(FIRST));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await error).toBeInstanceOf(TimeoutError);
    expect(await error).toMatchObject({ limits: { timeoutMs: 50, deadlineMs: 60_000 } });
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

/** A space every 10 ms, for ever. */
function drip(): Response {
  let timer: ReturnType<typeof setInterval>;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => controller.enqueue(Buffer.from(' ')), 10);
    },
    cancel() {
      clearInterval(timer);
    },
  });
  return new Response(body);
}

async function slow(): Promise<Response> {
  return new Promise((resolve) => {
    // By the clock of the test.
    setTimeout(() => resolve(refused({ 'retry-after': '0' })), 60);
  });
}

describe('the limits of time', () => {
  it('end a body that arrives in drops', async () => {
    const { client } = withClock(drip, { timeoutMs: 100 });
    const error = caught(client.query(FIRST));
    await vi.advanceTimersByTimeAsync(100);
    expect(await error).toBeInstanceOf(TimeoutError);
  });

  it('end all attempts with one deadline', async () => {
    const { client, fetch } = withClock(slow, { retries: 10, deadlineMs: 150 });
    const error = caught(client.query(FIRST));
    await vi.advanceTimersByTimeAsync(150);
    expect(await error).toBeInstanceOf(TimeoutError);
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  it('end a token function that never answers', async () => {
    const { client } = withClock(() => refused(), {
      timeoutMs: 30,
      token: async () => new Promise(() => undefined),
    });
    const error = caught(client.query(FIRST));
    await vi.advanceTimersByTimeAsync(30);
    expect(await error).toBeInstanceOf(TimeoutError);
  });
});

it('names the address and the reason when nobody answers', async () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:2', token: TOKEN, retries: 0 });
  const error = await caught(client.query(FIRST));
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({
    url: 'http://127.0.0.1:2/api/v1/dynamic/query',
    cause: expect.any(TypeError),
    message: expect.stringContaining('got none: connect ECONNREFUSED'),
  });
});
