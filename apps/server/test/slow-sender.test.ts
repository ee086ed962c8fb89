import { once } from 'node:events';
import { connect } from 'node:net';

import { expect, it } from 'vitest';

import {
  cityQuery,
  listen,
  present,
  QUERY_PATH,
  sendTo,
  sharedService,
  startService,
  TOKEN,
} from './helper.ts';
import { readReplies } from './raw-http.ts';

const HEAD = `POST ${QUERY_PATH} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;

const impatient = await sharedService({
  parts: { sendersTime: { requestTimeoutMs: 200, headersTimeoutMs: 150, checkEveryMs: 10 } },
});
const port = await listen(impatient.app);

it.concurrent.each([
  ['sends nothing', '', ''],
  ['stops in the request line', 'POST /api', ''],
  ['stops in the headers', HEAD, ''],
  ['drips headers', HEAD, 'X: y\r\n'],
  ['stops before the body', `${HEAD}Content-Length: 100\r\n\r\n`, ''],
  ['stops in the body', `${HEAD}Content-Length: 100\r\n\r\n{"query_model":`, ''],
  ['drips the body', `${HEAD}Content-Length: 100\r\n\r\n`, ' '],
  ['drips chunks', `${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
])('a sender is cut off in time who %s', async (_what, first, drop) => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  if (first !== '') socket.write(first);
  const drip = setInterval(() => {
    if (drop !== '' && socket.writable) socket.write(drop);
  }, 20);
  await once(socket, 'close');
  clearInterval(drip);
  const [reply] = readReplies(Buffer.concat(chunks).toString());
  expect(present(reply)).toBeProblem('request_timeout');
});

it('a server answers other callers while slow senders hold connections', async () => {
  const { app } = await startService();
  const at = await listen(app);
  const idle = Array.from({ length: 300 }, () =>
    connect(at, '127.0.0.1').on('error', () => undefined),
  );
  for (const socket of idle) socket.write(`${HEAD}Content-Length: 100\r\n\r\n{`);
  for (let turn = 0; turn < 15; turn++) {
    const reply = await sendTo(`http://127.0.0.1:${at}`, cityQuery(1, 10));
    expect(reply.status).toBe(200);
  }
  for (const socket of idle) socket.destroy();
});
