import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { expect, it, onTestFinished, vi } from 'vitest';

import { EventBytes, EventStream } from './event-stream.ts';

/** A reply of events to a caller who asks in these words, once its first event has come. */
async function begin(
  version: string,
): Promise<{ caller: Socket; response: ServerResponse; stream: EventStream }> {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  const server = createServer((_request, response) => resolve(response.setHeader('date', 'now')));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    caller.destroy();
    server.close();
  });
  caller.write(`GET / ${version}\r\nHost: here\r\nConnection: close\r\n\r\n`);
  const response = await promise;
  const stream = new EventStream(response);
  void stream.send(new EventBytes('first\n'));
  stream.pipe(response);
  await expect.poll(() => response.headersSent).toBe(true);
  return { caller, response, stream };
}

/** What a caller gets behind the headers. */
async function bodyOf(caller: Socket): Promise<string> {
  const reply = await text(caller);
  return reply.slice(reply.indexOf('\r\n\r\n') + 4);
}

it('events go out in order, each in one write, and those who watch the same list share its bytes', async () => {
  const { caller, response, stream } = await begin('HTTP/1.1');
  const write = vi.spyOn(response.socket as Socket, 'write');
  const event = new EventBytes('é\n');
  for (const one of [event, event]) void stream.send(one);
  expect(write.mock.calls).toEqual([[event.chunk], [event.chunk]]);
  stream.push('last');
  stream.finish();
  expect(await bodyOf(caller)).toBe(
    '6\r\nfirst\n\r\n' + '3\r\né\n\r\n'.repeat(2) + '4\r\nlast\r\n0\r\n\r\n',
  );
});

it('a caller who knows no chunks gets the events as they are', async () => {
  const { caller, stream } = await begin('HTTP/1.0');
  void stream.send(new EventBytes('second\n'));
  stream.finish();
  expect(await bodyOf(caller)).toBe('first\nsecond\n');
});

it('there is room again once a slow caller has read, or has left', async () => {
  const { caller, stream } = await begin('HTTP/1.1');
  caller.pause();
  const event = new EventBytes('x'.repeat(1000));
  for (const goOn of [() => void caller.resume(), () => void caller.destroy()]) {
    caller.pause();
    let waiting: Promise<void> | undefined;
    while (waiting === undefined) waiting = stream.send(event);
    goOn();
    await waiting;
  }
  expect(stream.send(event)).toBeUndefined();
});
