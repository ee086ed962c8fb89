import { once } from 'node:events';
import { connect } from 'node:net';

import { expect, it } from 'vitest';

import { listen, present, startService } from './helper.ts';
import { readReplies } from './raw-http.ts';

const REQUEST = 'GET /livez HTTP/1.1\r\nHost: test\r\n\r\n';

it('closes a kept connection with the first reply on it after the server began to drain', async () => {
  const { app, lifecycle } = await startService();
  const socket = connect(await listen(app), '127.0.0.1');
  socket.write(REQUEST);
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(present(readReplies(String(first))[0]).headers['connection']).toBe('keep-alive');
  lifecycle.drain();
  const closed = once(socket, 'close');
  socket.write(REQUEST);
  const [last] = (await once(socket, 'data')) as [Buffer];
  expect(present(readReplies(String(last))[0])).toMatchObject({
    statusCode: 200,
    headers: { connection: 'close' },
  });
  await closed;
});
