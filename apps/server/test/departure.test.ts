import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import type { Engine } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import {
  CITIES,
  cityQuery,
  ENDLESS,
  listen,
  QUERY_PATH,
  type Service,
  startService,
  TOKEN,
  until,
} from './helper.ts';
import { busyReadersOf, readersOf } from './processes.ts';

const SLOW = { query_model: 'endless', query_attributes: ['id'], page: { page: 1, size: 1 } };

async function slowService(): Promise<{ service: Service; port: number }> {
  const settings = { models: { endless: { key: ['id'] } }, queryTimeoutMs: 15_000 };
  const service = await startService({ sql: CITIES + ENDLESS, settings });
  return { service, port: await listen(service.app) };
}

async function send(port: number, body: unknown): Promise<Socket> {
  const text = JSON.stringify(body);
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST ${QUERY_PATH} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  );
  return socket;
}

describe('a caller that disconnects', () => {
  it.each([
    ['by closing the connection', (socket: Socket) => socket.destroy()],
    ['by ending it', (socket: Socket) => socket.end()],
    ['by resetting it', (socket: Socket) => socket.resetAndDestroy()],
  ])('stops the query in the database, whose process is replaced: %s', async (_how, leave) => {
    const { service, port } = await slowService();
    await until(() => busyReadersOf(service.file).length === 0);
    const before = readersOf(service.file);
    const socket = await send(port, SLOW);
    await until(() => busyReadersOf(service.file).length > 0);
    expect(readersOf(service.file)).toEqual(before);
    leave(socket);
    await until(() => readersOf(service.file).filter((pid) => !before.includes(pid)).length === 1);
    expect(readersOf(service.file)).toHaveLength(before.length);
    expect((await service.ask(cityQuery(1, 1))).statusCode).toBe(200);
    expect((await service.get('/readyz')).statusCode).toBe(200);
  });

  it('again and again does not keep others from being answered', async () => {
    const { service, port } = await slowService();
    for (let round = 0; round < 12; round++) {
      const socket = await send(port, SLOW);
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.destroy();
    }
    expect((await service.ask(cityQuery(1, 1))).statusCode).toBe(200);
    expect((await service.get('/readyz')).statusCode).toBe(200);
  });

  it('stops every query that it has sent in one go', async () => {
    const { service, port } = await slowService();
    const sockets = await Promise.all(Array.from({ length: 20 }, () => send(port, SLOW)));
    await until(() => busyReadersOf(service.file).length > 0);
    for (const socket of sockets) socket.destroy();
    await until(() => busyReadersOf(service.file).length === 0);
    expect((await service.ask(cityQuery(1, 1))).statusCode).toBe(200);
  });
});

describe('the signal of a query (regression: fastify#4690 reports the end of a body as a departure)', () => {
  it('stays silent for a caller that waits', async () => {
    const { seen, port } = await watched(300);
    const reply = await fetch(`http://127.0.0.1:${port}${QUERY_PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(cityQuery(1, 1)),
    });
    expect(await reply.json()).toMatchObject({ result: [false] });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(seen.signal?.aborted).toBe(false);
  });

  it('stays silent when the connection closes after the reply', async () => {
    const { seen, port } = await watched(10);
    const socket = await send(port, cityQuery(1, 1));
    await once(socket, 'data');
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(seen.signal?.aborted).toBe(false);
  });

  it('reports a caller that disconnects, at once', async () => {
    const { seen, port } = await watched(5000);
    const socket = await send(port, cityQuery(1, 1));
    await until(() => seen.signal !== undefined);
    expect(seen.signal?.aborted).toBe(false);
    socket.destroy();
    await until(() => seen.signal?.aborted === true);
  });
});

/** A service whose engine takes its time and keeps the signal that it was given. */
async function watched(milliseconds: number) {
  const seen: { signal?: AbortSignal } = {};
  const query: Engine['query'] = async (_body, _grant, { signal } = {}) => {
    if (signal !== undefined) seen.signal = signal;
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    const page = { page: '1', size: '1', total: '0', has_next: false };
    const facts = {
      model: 'cities',
      models: ['cities'],
      attributes: [],
      page: 1,
      size: 1,
      rows: 0,
    };
    const took = { plan: 0, rows: 0, count: 0 };
    return {
      result: `[${signal?.aborted}]`,
      page,
      version: undefined,
      milliseconds: took,
      facts,
      deprecations: [],
      approximate: false,
      tag: () => 'tag',
    };
  };
  const service = await startService({ stub: { query } });
  return { seen, port: await listen(service.app) };
}
