import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';

import { API_PATHS } from '@proj/contract';
import { EVERYTHING, type Engine } from '@proj/engine';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';

import { openLimits } from '../src/limits/limits.ts';
import { UnsentBytes, type UnsentLimit, type UnsentLimits } from '../src/limits/unsent-bytes.ts';
import { rateLimitSettings } from '../src/settings/groups/rate-limits.ts';
import { answerOf, cityQuery, listen, sharedService, startService, until } from './helper.ts';
import { askText } from './long-replies.ts';

const MIB = 2 ** 20;
const NO_LIMITS = { perOwner: 1024 * MIB, inAll: 1024 * MIB };

/** Counts as the service does, and keeps the most that ever waited. */
class WatchedBytes extends UnsentBytes {
  most = 0;

  override add(owner: string, bytes: number): UnsentLimit | undefined {
    const reached = super.add(owner, bytes);
    this.most = Math.max(this.most, this.total);
    return reached;
  }
}

interface Options {
  readonly replyBytes: number;
  readonly unsent?: UnsentLimits;
  readonly sendTimeoutMs?: number;
  readonly rateLimits?: object;
  /** Pages are ready then. */
  readonly computed?: Promise<void>;
}

/** No test reads its database. */
const over = await sharedService();

/** A service whose every page is as large as is asked, for tokens of any name. */
async function start({
  replyBytes,
  unsent: limits = NO_LIMITS,
  sendTimeoutMs = 600_000,
  rateLimits = {},
  computed,
}: Options) {
  const answer = answerOf(JSON.stringify(['x'.repeat(replyBytes)]));
  const query: Engine['query'] = async () => {
    await computed;
    return answer;
  };
  const unsent = new WatchedBytes(limits);
  const sending = { unsent, timeoutMs: sendTimeoutMs, timeouts: 0 };
  const { app } = await startService({
    over,
    stub: { query },
    parts: {
      sending,
      // However busy the machine is, nobody here sends too slowly.
      sendersTime: {
        requestTimeoutMs: 300_000,
        headersTimeoutMs: 300_000,
        checkEveryMs: 60_000,
      },
      limits: await openLimits(rateLimitSettings.parse(rateLimits), {
        log: pino({ level: 'silent' }),
      }),
      authenticate: (token) =>
        Promise.resolve({ name: token, id: token, role: null, grant: EVERYTHING }),
    },
  });
  const port = await listen(app);
  return { app, port, unsent, sending };
}

function request(token: string): string {
  return askText(API_PATHS.query, cityQuery(1, 1), { token });
}

/** Sends requests and reads nothing. */
function askWithoutReading(port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.pause().write(text);
  return socket;
}

/** Reads everything that a socket was sent, up to its end, which a last request brings about. */
async function readAll(socket: Socket): Promise<number[]> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  socket.write('GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await once(socket, 'close');
  return [
    ...Buffer.concat(chunks)
      .toString('latin1')
      .matchAll(/HTTP\/1\.1 (\d{3}) /g),
  ].map(([, status]) => Number(status));
}

function ask(port: number, token: string): Promise<number[]> {
  return readAll(askWithoutReading(port, request(token)));
}

describe('replies that nobody reads', () => {
  it('wait up to a limit of bytes for each token, beyond which its queries are refused until some are read', async () => {
    const { port, unsent } = await start({
      replyBytes: 16 * MIB,
      unsent: { perOwner: 40 * MIB, inAll: 1024 * MIB },
    });
    const sockets = Array.from({ length: 6 }, () => askWithoutReading(port, request('a')));
    await until(() => unsent.total > 32 * MIB);
    expect(await ask(port, 'b')).toEqual([200, 200]);
    const statuses = (await Promise.all(sockets.map(readAll))).map(([status]) => status);
    expect(unsent.most).toBeLessThan(60 * MIB);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    await until(() => unsent.total === 0);
    expect(await ask(port, 'a')).toEqual([200, 200]);
  });

  it('wait up to a limit of bytes in all, beyond which queries are refused and everything else is answered', async () => {
    const { port, unsent } = await start({
      replyBytes: 16 * MIB,
      unsent: { perOwner: 17 * MIB, inAll: 34 * MIB },
    });
    const sockets = ['a', 'b', 'c', 'd', 'e'].map((token) =>
      askWithoutReading(port, request(token)),
    );
    await until(() => unsent.total > 32 * MIB);
    expect(await ask(port, 'f')).toEqual([503, 200]);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    expect(unsent.most).toBeLessThan(34 * MIB);
    await Promise.all(sockets.map(readAll));
    await until(() => unsent.total === 0);
    expect(await ask(port, 'f')).toEqual([200, 200]);
  });

  it('are bounded on one connection, too, whose requests are all sent before anything is read', async () => {
    const { port, unsent } = await start({
      replyBytes: 8 * MIB,
      unsent: { perOwner: 20 * MIB, inAll: 1024 * MIB },
    });
    const socket = askWithoutReading(port, request('a').repeat(7));
    await until(() => unsent.most > 8 * MIB);
    const statuses = await readAll(socket);
    expect(statuses).toHaveLength(8);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(unsent.most).toBeLessThan(20 * MIB);
    await until(() => unsent.total === 0);
  });

  it('are bounded for callers without a token by their address', async () => {
    const { port, unsent } = await start({
      replyBytes: 1,
      unsent: { perOwner: 1, inAll: 1024 * MIB },
    });
    const text = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n';
    const socket = askWithoutReading(port, text.repeat(7));
    await until(() => unsent.most > 0);
    const statuses = await readAll(socket);
    expect(statuses).toHaveLength(8);
    expect(statuses).toContain(429);
    expect(unsent.most).toBeLessThan(MIB);
  });

  it('are what is refused, and their records do not count as read', async () => {
    const unsentLimits = { perOwner: 20 * MIB, inAll: 1024 * MIB };
    const { port, unsent } = await start({
      replyBytes: 16 * MIB,
      unsent: unsentLimits,
      rateLimits: { rows_per_day: 2 },
    });
    const socket = askWithoutReading(port, request('a'));
    await until(() => unsent.total > 0);
    for (let count = 0; count < 3; count++) expect(await ask(port, 'a')).toEqual([429, 200]);
    expect(await readAll(socket)).toEqual([200, 200]);
    await until(() => unsent.total === 0);
    expect(await ask(port, 'a')).toEqual([200, 200]);
  });

  it('do not count where their caller has left before they were ready', async () => {
    const computed = Promise.withResolvers<void>();
    const { app, port, unsent } = await start({ replyBytes: MIB, computed: computed.promise });
    const asked = once(app.server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const socket = askWithoutReading(port, request('a'));
    const [, reply] = await asked;
    socket.destroy();
    await once(reply, 'close');
    computed.resolve();
    await until(() => reply.writableEnded);
    expect(unsent.most).toBe(0);
  });

  it('hold the slot of their query', async () => {
    const { port } = await start({ replyBytes: 16 * MIB, rateLimits: { concurrent_queries: 1 } });
    const socket = askWithoutReading(port, request('a'));
    await until(async () => (await ask(port, 'a'))[0] === 429);
    expect(await ask(port, 'b')).toEqual([200, 200]);
    expect(await readAll(socket)).toEqual([200, 200]);
    await until(async () => (await ask(port, 'a'))[0] === 200);
  });

  it('are given up after the send timeout, and give back their bytes and their slot', async () => {
    const { port, unsent, sending } = await start({
      replyBytes: 16 * MIB,
      sendTimeoutMs: 200,
      rateLimits: { concurrent_queries: 3 },
    });
    for (let count = 0; count < 3; count++) askWithoutReading(port, request('a'));
    await until(() => sending.timeouts === 3);
    await until(() => unsent.total === 0);
    await until(async () => (await ask(port, 'a'))[0] === 200);
    expect(sending.timeouts).toBeGreaterThanOrEqual(3);
  });
});
