import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { OpenConnections } from './open-connections.ts';

const REPLY = Buffer.alloc(32 * 2 ** 20);
const TIMEOUT = 1000;

const cleanUp: (() => void)[] = [];
afterEach(() => cleanUp.splice(0).forEach((end) => end()));

/** Both ends of a connection whose caller does not read yet. */
async function connection() {
  const server = createServer({ allowHalfOpen: true });
  const connections = new OpenConnections(server as Server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const caller = connect(port, '127.0.0.1').pause();
  const [served] = await accepted;
  for (const socket of [caller, served]) socket.on('error', () => undefined);
  cleanUp.push(
    () => [caller, served].forEach((socket) => socket.destroy()),
    () => void server.close(),
  );
  // Whole, lest sums round.
  const began = Math.ceil(performance.now());
  /** After so many milliseconds. */
  const check = (now: number): number => connections.closeStuck(TIMEOUT, began + now);
  return { caller, served, check };
}

describe('a connection with bytes to send', () => {
  it('is closed when it takes nothing for the time limit, and not before', async () => {
    const { served, check } = await connection();
    served.write(REPLY);
    // The kernel takes what has room without a reader; then nothing.
    let closed = 0;
    for (let now = 0; closed === 0; now += 2 * TIMEOUT) {
      await setImmediate();
      check(now);
      expect([check(now + TIMEOUT - 1), served.destroyed]).toEqual([0, false]);
      closed += check(now + TIMEOUT);
    }
    expect([closed, served.destroyed]).toEqual([1, true]);
  });

  it(
    'stays open however slow its caller reads, as long as it takes something within each ' +
      'time limit',
    async () => {
      const { caller, served, check } = await connection();
      let read = 0;
      caller.on('data', (chunk) => (read += chunk.length)).pause();
      const written = vi.fn<() => void>();
      served.write(REPLY, written);
      let now = 0;
      while (read < REPLY.length) {
        const enough = Math.min(read + 2 ** 23, REPLY.length);
        caller.resume();
        await vi.waitUntil(() => read >= enough, { timeout: 20_000, interval: 1 });
        caller.pause();
        expect(check((now += TIMEOUT * 0.75))).toBe(0);
      }
      expect(now).toBeGreaterThan(2 * TIMEOUT);
      await vi.waitUntil(() => written.mock.calls.length === 1, { timeout: 20_000 });
      expect(served.destroyed).toBe(false);
    },
  );
});

describe('a connection with nothing to send', () => {
  it('stays open for as long as it is not ended', async () => {
    const { served, check } = await connection();
    expect([check(TIMEOUT), check(5 * TIMEOUT), served.destroyed]).toEqual([0, 0, false]);
  });

  it('is closed when it was ended and its caller keeps it open', async () => {
    const { served, check } = await connection();
    served.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    await once(served, 'finish');
    check(0);
    expect(check(TIMEOUT)).toBe(1);
  });
});
