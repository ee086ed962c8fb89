import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { SendWatch } from './send-watch.ts';

const REPLY = Buffer.alloc(32 * 2 ** 20);
const TIMEOUT = 1000;

const cleanUp: (() => void)[] = [];
afterEach(() => cleanUp.splice(0).forEach((end) => end()));

/** Both ends of a connection whose caller does not read yet. */
async function connection(): Promise<{ caller: Socket; served: Socket; watch: SendWatch }> {
  const server = createServer({ allowHalfOpen: true });
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
  const watch = new SendWatch(TIMEOUT);
  watch.add(served, 0);
  return { caller, served, watch };
}

describe('a connection with bytes to send', () => {
  it('is closed when it takes nothing for the time limit, and not before', async () => {
    const { served, watch } = await connection();
    served.write(REPLY);
    // The kernel takes what has room without a reader; then nothing.
    let closed = 0;
    for (let now = 0; closed === 0; now += 2 * TIMEOUT) {
      await setImmediate();
      watch.check(now);
      expect([watch.check(now + TIMEOUT - 1), served.destroyed]).toEqual([0, false]);
      closed += watch.check(now + TIMEOUT);
    }
    expect([closed, served.destroyed]).toEqual([1, true]);
  });

  it(
    'stays open however slow its caller reads, as long as it takes something within each ' +
      'time limit',
    async () => {
      const { caller, served, watch } = await connection();
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
        expect(watch.check((now += TIMEOUT * 0.75))).toBe(0);
      }
      expect(now).toBeGreaterThan(2 * TIMEOUT);
      await vi.waitUntil(() => written.mock.calls.length === 1, { timeout: 20_000 });
      expect(served.destroyed).toBe(false);
    },
  );
});

describe('a connection with nothing to send', () => {
  it('stays open for as long as it is not ended', async () => {
    const { served, watch } = await connection();
    expect([watch.check(TIMEOUT), watch.check(5 * TIMEOUT), served.destroyed]).toEqual([
      0,
      0,
      false,
    ]);
  });

  it('is closed when it was ended and its caller keeps it open', async () => {
    const { served, watch } = await connection();
    served.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    await once(served, 'finish');
    watch.check(0);
    expect(watch.check(TIMEOUT)).toBe(1);
  });
});
