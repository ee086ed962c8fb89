import { createClient } from '@proj/client';
import { expect, it } from 'vitest';

import { caught } from './caught.ts';
import { collect } from './collect.ts';
import { cities, contractService, problem, TOKEN } from './contract-service.ts';
import { inTurn, serve, silence, type Answer } from './http-server.ts';

const CITIES = { model: 'cities', attributes: ['id'], size: 10 } as const;

async function start(answer: Answer, token: () => Promise<string> = async () => TOKEN) {
  const server = await serve(answer);
  return { server, client: createClient({ baseUrl: server.url, token }) };
}

it('sends nothing for a signal that is already aborted', async () => {
  const { client, server } = await start(contractService([]));
  const signal = AbortSignal.abort();
  await expect(client.query({ ...CITIES, page: 1 }, { signal })).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(await caught(client.models({ signal }))).toBe(signal.reason);
  expect(await caught(client.model('cities', { signal }))).toBe(signal.reason);
  expect(await caught(collect(client.records(CITIES, { signal })))).toBe(signal.reason);
  expect(server.requests).toEqual([]);
});

it('aborts a pending request with the reason of the signal', async () => {
  const controller = new AbortController();
  const { client } = await start(() => controller.abort('enough'));
  await expect(client.query({ ...CITIES, page: 1 }, { signal: controller.signal })).rejects.toBe(
    'enough',
  );
});

it('closes the connection of a request that it aborts', async () => {
  const closed = Promise.withResolvers<void>();
  const controller = new AbortController();
  const { client } = await start((_request, response) => {
    response.on('close', () => closed.resolve());
    controller.abort();
  });
  await caught(client.query({ ...CITIES, page: 1 }, { signal: controller.signal }));
  await expect(closed.promise).resolves.toBeUndefined();
});

it('aborts a body that arrives in drops', async () => {
  const controller = new AbortController();
  const { client } = await start((_request, response) => {
    response.writeHead(200).write('{');
    setTimeout(() => controller.abort(), 20);
  });
  expect(await caught(client.query({ ...CITIES, page: 1 }, { signal: controller.signal }))).toBe(
    controller.signal.reason,
  );
});

it('aborts the wait before a repetition', async () => {
  const controller = new AbortController();
  const overloaded = problem(503, 'overloaded', { headers: { 'retry-after': '9' } });
  const { client, server } = await start((request, response) => {
    response.on('close', () => setTimeout(() => controller.abort(), 100));
    overloaded(request, response);
  });
  const { signal } = controller;
  expect(await caught(client.query({ ...CITIES, page: 1 }, { signal }))).toBe(signal.reason);
  expect(server.requests).toHaveLength(1);
});

it('does not wait for a token function that never answers', async () => {
  const { client, server } = await start(silence, async () => new Promise(() => undefined));
  const signal = AbortSignal.timeout(20);
  expect(await caught(client.query({ ...CITIES, page: 1 }, { signal }))).toBe(signal.reason);
  expect(server.requests).toEqual([]);
});

it('stops a walk over pages between two of them', async () => {
  const { client, server } = await start(contractService(cities(42)));
  const controller = new AbortController();
  const seen: number[] = [];
  const walk = async () => {
    for await (const page of client.pages(CITIES, { signal: controller.signal })) {
      seen.push(page.number);
      if (page.number === 2) controller.abort();
    }
  };
  expect(await caught(walk())).toBe(controller.signal.reason);
  expect(seen).toEqual([1, 2]);
  expect(server.requests).toHaveLength(2);
});

it('stops a walk over records in the middle of a page', async () => {
  const { client } = await start(contractService(cities(42)));
  const controller = new AbortController();
  const seen: unknown[] = [];
  const walk = async () => {
    for await (const { id } of client.records(CITIES, { signal: controller.signal })) {
      seen.push(id);
      if (id === 13) controller.abort();
    }
  };
  expect(await caught(walk())).toBe(controller.signal.reason);
  expect(seen.at(-1)).toBe(13);
});

it('takes a signal of its own for every further page', async () => {
  const { client } = await start(
    inTurn(contractService(cities(42)), contractService(cities(42)), silence),
  );
  const first = await client.query({ ...CITIES, page: 1 }, { signal: AbortSignal.timeout(5_000) });
  const second = await first.next();
  const signal = AbortSignal.timeout(20);
  expect(await caught(second?.at(5, { signal }))).toBe(signal.reason);
  expect(await caught(second?.previous({ signal }))).toBe(signal.reason);
});
