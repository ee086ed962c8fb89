import { once } from 'node:events';
import { connect } from 'node:net';

import { expect, it } from 'vitest';

import { listen, startService } from './helper.ts';
import { open } from './long-replies.ts';
import { rawExchange, readReplies } from './raw-http.ts';

const REQUEST = 'GET /readyz HTTP/1.1\r\nHost: test\r\n\r\n';

it('a connection that sends requests without waiting for replies is closed, and few of them are looked at', async () => {
  let asked = 0;
  const ping = (): Promise<void> => {
    asked += 1;
    return new Promise(() => undefined);
  };
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const { app } = await startService({ stub: { ping }, logLevel: 'info', parts: { logStream } });
  const port = await listen(app);
  const flooding = Array.from({ length: 5 }, () => open(port, REQUEST.repeat(2000)));
  for (const { closed } of flooding) await closed;
  expect(asked).toBeLessThanOrEqual(5 * 8);
  expect(lines.length).toBeLessThanOrEqual(5 * 9 + 1);
  expect(lines.join('')).toContain('without waiting for replies');
});

it('a connection with a few requests under way gets its replies, as does one with any number of them in turn', async () => {
  const { app } = await startService();
  const port = await listen(app);
  const last = REQUEST.replace('Host: test', 'Host: test\r\nConnection: close');
  const replies = readReplies(await rawExchange(port, REQUEST.repeat(7) + last));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 8 }, () => 200));
  const socket = connect(port, '127.0.0.1');
  for (let times = 0; times < 20; times++) {
    socket.write(REQUEST);
    const [reply] = (await once(socket, 'data')) as [Buffer];
    expect(reply.toString()).toMatch(/^HTTP\/1\.1 200 /);
  }
  socket.destroy();
});
