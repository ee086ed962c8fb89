import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { API_PATHS } from '@proj/contract';
import { EVERYTHING } from '@proj/engine';
import { expect, it, onTestFinished } from 'vitest';

import { cityQuery, listen, MODELS_PATH, present, startService } from '../helper.ts';
import { askText } from '../long-replies.ts';

const REQUESTS = 32;

/** A filter of 40 kB. */
const LONG_FILTER = {
  attribute: 'name',
  op: 'in',
  value: Array.from({ length: 1000 }, (_, index) => `city ${String(index).padStart(32, '0')}`),
};

const LARGE = { ...cityQuery(1, 10), query_filter: LONG_FILTER };

/** A service for which each token is a caller of that name, and connections to it. */
async function startWithConnections(count: number): Promise<Socket[]> {
  const { app } = await startService({
    parts: {
      authenticate: async (name) => ({ name, id: name, role: null, grant: EVERYTHING }),
    },
  });
  const port = await listen(app);
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  // A connection is not accepted before it is answered.
  await Promise.all(sockets.map(async (socket) => answered(socket, SMALL)));
  return sockets;
}

const SMALL = `GET ${MODELS_PATH} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer one\r\n\r\n`;

function largeOf(caller: string): string {
  return askText(API_PATHS.query, LARGE, { token: caller });
}

/** Sends a request, and resolves when it is answered, with the first line of the reply. */
async function answered(socket: Socket, text: string): Promise<string | undefined> {
  const reply = once(socket, 'data');
  socket.write(text);
  const [bytes] = (await reply) as [Buffer];
  return bytes.toString().split('\r\n', 1)[0];
}

/** How many are answered before the last one, when all are sent at once. */
async function answeredBeforeLast(sockets: readonly Socket[], texts: string[]): Promise<number> {
  const order: number[] = [];
  const all = sockets.map(async (socket, index) => {
    expect(await answered(socket, texts[index] ?? '')).toBe('HTTP/1.1 200 OK');
    order.push(index);
  });
  await Promise.all(all);
  return order.indexOf(sockets.length - 1);
}

it('a caller is answered before most of the large bodies that another one sent before on many connections', async () => {
  const sockets = await startWithConnections(REQUESTS + 1);
  const texts = Array.from({ length: REQUESTS }, () => largeOf('many'));
  expect(await answeredBeforeLast(sockets, [...texts, largeOf('one')])).toBeLessThan(REQUESTS / 2);
});

it('a caller who disconnects while its requests wait holds up nobody', async () => {
  const [last, ...sockets] = await startWithConnections(REQUESTS + 1);
  for (const socket of sockets) socket.write(largeOf('many'));
  for (const socket of sockets) socket.destroy();
  expect(await answered(present(last), SMALL)).toBe('HTTP/1.1 200 OK');
});
