import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

import { API_PATHS } from '@proj/contract';
import { type Engine, EVERYTHING } from '@proj/engine';
import { describe, expect, it } from 'vitest';

import {
  answerOf,
  CITIES,
  cityQuery,
  ENDLESS,
  listen,
  sharedService,
  startService,
  TOKEN,
  until,
} from './helper.ts';
import { askText, open } from './long-replies.ts';
import { busyReadersOf, readersOf } from './processes.ts';

const SLOW = { query_model: 'endless', query_attributes: ['id'], page: { page: 1, size: 1 } };

/** Sends a query over a connection of its own. */
function send(port: number, body: object): Socket {
  return open(port, askText(API_PATHS.query, body, { token: TOKEN })).socket;
}

describe('a caller that disconnects', async () => {
  const principal = { name: 'test', id: 'test', role: null, grant: EVERYTHING };
  let requests = 0;
  const authenticate = async () => {
    requests += 1;
    return principal;
  };
  const settings = { models: { endless: { key: ['id'] } }, queryTimeoutMs: 600_000 };
  const service = await sharedService({
    sql: CITIES + ENDLESS,
    settings,
    parts: { authenticate },
  });
  const port = await listen(service.app);
  // On a busy machine a probe waits for a reader for longer than it may.
  const readiness = async () => (await service.get('/readyz')).statusCode;
  const readers = readersOf(service.file).length;

  it.each([
    ['by closing the connection', (socket: Socket) => socket.destroy()],
    ['by ending it', (socket: Socket) => socket.end()],
    ['by resetting it', (socket: Socket) => socket.resetAndDestroy()],
  ])('stops the query in the database, whose process is replaced: %s', async (_how, leave) => {
    await until(() => busyReadersOf(service.file).length === 0);
    const before = readersOf(service.file);
    expect(before).toHaveLength(readers);
    const socket = send(port, SLOW);
    await until(() => busyReadersOf(service.file).length > 0);
    expect(readersOf(service.file)).toEqual(before);
    leave(socket);
    await until(() => readersOf(service.file).filter((pid) => !before.includes(pid)).length === 1);
    await until(() => readersOf(service.file).length === readers);
    expect((await service.ask(cityQuery(1, 1))).statusCode).toBe(200);
    await until(async () => (await readiness()) === 200);
  });

  it('again and again does not keep others from being answered', async () => {
    for (let round = 0; round < 12; round++) {
      const before = requests;
      const socket = send(port, SLOW);
      await until(() => requests > before);
      socket.destroy();
    }
    expect((await service.ask(cityQuery(1, 1))).statusCode).toBe(200);
    await until(async () => (await readiness()) === 200);
  });

  it('stops every query that it has sent in one go', async () => {
    const sockets = Array.from({ length: 20 }, () => send(port, SLOW));
    await until(() => busyReadersOf(service.file).length > 0);
    for (const socket of sockets) socket.destroy();
    await until(() => busyReadersOf(service.file).length === 0);
    expect((await service.ask(cityQuery(1, 1))).statusCode).toBe(200);
  });
});

describe('the signal of a query (regression: fastify#4690 reports the end of a body as a departure)', () => {
  it('stays silent for a caller that waits, and when the connection closes after the reply', async () => {
    const { port, request, signal, answer } = await stubbedService();
    const socket = send(port, cityQuery(1, 1));
    const { message, reply } = await request;
    const given = await signal;
    // Node closes the request as soon as its body is read.
    if (!message.closed) await once(message, 'close');
    expect(given.aborted).toBe(false);
    const closed = once(reply, 'close');
    answer();
    const [text] = (await once(socket, 'data')) as [string];
    expect(text).toContain('"result":[false]');
    await closed;
    expect(given.aborted).toBe(false);
    socket.destroy();
    await once(message.socket, 'close');
    expect(given.aborted).toBe(false);
  });

  it('reports a caller that disconnects, at once', async () => {
    const { port, signal } = await stubbedService();
    const socket = send(port, cityQuery(1, 1));
    const given = await signal;
    expect(given.aborted).toBe(false);
    socket.destroy();
    await once(given, 'abort');
  });
});

/** A service whose engine answers a query when the test lets it, or its caller has left. */
async function stubbedService() {
  const given = Promise.withResolvers<AbortSignal>();
  const answered = Promise.withResolvers<void>();
  const query: Engine['query'] = async (_body, _grant, { signal } = {}) => {
    if (signal !== undefined) given.resolve(signal);
    signal?.addEventListener('abort', () => answered.resolve());
    await answered.promise;
    return answerOf(`[${signal?.aborted}]`);
  };
  const { app } = await startService({ stub: { query } });
  const port = await listen(app);
  const request = once(app.server, 'request').then((parts) => {
    const [message, reply] = parts as [IncomingMessage, ServerResponse];
    return { message, reply };
  });
  return { port, request, signal: given.promise, answer: answered.resolve };
}
