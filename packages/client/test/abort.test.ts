import { expect, it, vi } from 'vitest';

import { caught } from './caught.ts';
import { collect } from './collect.ts';
import { cities, contractService } from './contract-service.ts';
import { inTurn, silence, type Answer } from './http-server.ts';
import { startClient } from './start-client.ts';
import { withClock } from './with-clock.ts';

const CITIES = { model: 'cities', attributes: ['id'], size: 10 } as const;

const oneDrop: Answer = (_request, response) => void response.writeHead(200).write('{');

it('sends nothing for a signal that is already aborted', async () => {
  const { client, server } = await startClient(contractService([]));
  const signal = AbortSignal.abort();
  await expect(client.query({ ...CITIES, page: 1 }, { signal })).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(await caught(client.models({ signal }))).toBe(signal.reason);
  expect(await caught(client.model('cities', { signal }))).toBe(signal.reason);
  expect(await caught(collect(client.records(CITIES, { signal })))).toBe(signal.reason);
  expect(server.requests).toEqual([]);
});

it('aborts a pending request with the reason of the signal, and closes its connection', async () => {
  const closed = Promise.withResolvers<void>();
  const controller = new AbortController();
  const { client } = await startClient((_request, response) => {
    response.on('close', () => closed.resolve());
    controller.abort('enough');
  });
  const query = client.query({ ...CITIES, page: 1 }, { signal: controller.signal });
  expect(await caught(query)).toBe('enough');
  await expect(closed.promise).resolves.toBeUndefined();
});

it('aborts a body that arrives in drops', async () => {
  const controller = new AbortController();
  const fetch = async (request: Request): Promise<Response> => {
    const response = await globalThis.fetch(request);
    controller.abort();
    return response;
  };
  const { client } = await startClient(oneDrop, { fetch });
  expect(await caught(client.query({ ...CITIES, page: 1 }, { signal: controller.signal }))).toBe(
    controller.signal.reason,
  );
});

it('aborts the wait before a repetition', async () => {
  const controller = new AbortController();
  const headers = { 'retry-after': '9' };
  const { client, fetch } = withClock(() => new Response('', { status: 503, headers }));
  const { signal } = controller;
  const error = caught(client.query({ ...CITIES, page: 1 }, { signal }));
  await vi.advanceTimersByTimeAsync(8_999);
  controller.abort();
  expect(await error).toBe(signal.reason);
  expect(fetch).toHaveBeenCalledTimes(1);
});

it('does not wait for a token function that never answers', async () => {
  const controller = new AbortController();
  const token = async (): Promise<string> => {
    controller.abort();
    return new Promise(() => undefined);
  };
  const { client, server } = await startClient(silence, { token });
  const { signal } = controller;
  expect(await caught(client.query({ ...CITIES, page: 1 }, { signal }))).toBe(signal.reason);
  expect(server.requests).toEqual([]);
});

it('stops a walk over pages between two of them', async () => {
  const { client, server } = await startClient(contractService(cities(42)));
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
  const { client } = await startClient(contractService(cities(42)));
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
  const service = contractService(cities(42));
  const controller = new AbortController();
  const { client } = await startClient(inTurn(service, service, () => controller.abort()));
  const first = await client.query(
    { ...CITIES, page: 1 },
    { signal: new AbortController().signal },
  );
  const second = await first.next();
  const { signal } = controller;
  expect(await caught(second?.at(5, { signal }))).toBe(signal.reason);
  expect(await caught(second?.previous({ signal }))).toBe(signal.reason);
});
