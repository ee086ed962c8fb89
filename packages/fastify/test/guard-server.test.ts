import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';

import Fastify, { type FastifyInstance } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';

import { guardServer, type GuardOptions, type ServerGuard } from '../src/index.ts';

const HEAD = 'GET /own HTTP/1.1\r\nHost: a\r\n';
const PATIENT = { requestTimeoutMs: 300_000, headersTimeoutMs: 300_000 };

interface Guarded {
  readonly app: FastifyInstance;
  readonly guard: ServerGuard | null;
  readonly port: number;
  /** How many requests the app has seen. */
  readonly seen: () => number;
}

/** An app with routes of its own. */
async function startGuarded(options: GuardOptions | null = PATIENT): Promise<Guarded> {
  const app = Fastify({ forceCloseConnections: true });
  onTestFinished(() => app.close());
  let seen = 0;
  app.addHook('onRequest', async () => void (seen += 1));
  app.get('/own', () => 'own');
  app.get('/large', () => 'x'.repeat(64 * 2 ** 20));
  app.get('/never', () => new Promise(() => undefined));
  const guard = options && guardServer(app.server, options);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { app, guard, port, seen: () => seen };
}

/** All that comes back until the connection closes. */
async function sent(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece)).on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return Buffer.concat(pieces).toString();
}

it('a misspelt option is refused, lest it open a limit, as is a time that is none', () => {
  const { server } = Fastify();
  const guard = (options: object) => () => guardServer(server, options);
  expect(guard({ sendTimeout: 5 })).toThrow(
    'sendTimeout: there is no such setting. Did you mean sendTimeoutMs?',
  );
  expect(guard({ sendTimeoutMs: 0, checkEveryMs: '1s' })).toThrow(
    'checkEveryMs: expected a whole number from 1 to 2147483647, not a text\n' +
      'sendTimeoutMs: expected a whole number from 1 to 2147483647',
  );
  expect(guard({ onRefusal: true })).toThrow('onRefusal: expected a function');
});

it('an app that is guarded answers its own routes as before', async () => {
  const { port } = await startGuarded();
  const text = await sent(port, `${HEAD}Connection: close\r\n\r\n`);
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nown$/s);
});

it.each([
  ['two Hosts', `${HEAD}Host: b\r\n`, 'bad_request'],
  ['two tokens', `${HEAD}Authorization: a\r\nAuthorization: b\r\n`, 'bad_request'],
  ['no Host', 'GET /own HTTP/1.1\r\n', 'bad_request'],
  ['a coding before chunked', `${HEAD}Transfer-Encoding: gzip, chunked\r\n`, 'not_implemented'],
])('requests with %s get a problem that the app never sees', async (_what, head, code) => {
  const { port, seen } = await startGuarded();
  const request = `${head}X-Request-Id: mine\r\nConnection: close\r\n\r\n`;
  const text = await sent(port, request);
  expect(text).toMatch(/^HTTP\/1\.1 (400|501) .*content-type: application\/problem\+json/s);
  expect([text.includes(`"code":"${code}"`), text.includes('"request_id":"mine"')]).toEqual([
    true,
    true,
  ]);
  expect(seen()).toBe(0);
});

it.each([
  ['a reply to the first of two Hosts', `${HEAD}Host: b\r\n`, /200 OK.*own$/s],
  ['a reply without a version', 'GET /own HTTP/0.9\r\n', /200 OK.*own$/s],
  ['400 without a Host', 'GET /own HTTP/1.1\r\n', /^HTTP\/1\.1 400 Bad Request\r\n/],
  ['400 without a problem', 'NONSENSE\r\n', /^HTTP\/1\.1 400 (?!.*problem)/s],
  ['nothing to CONNECT', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n', /^$/],
])('an app that is not guarded sends %s', async (_what, head, expected) => {
  const { port } = await startGuarded(null);
  expect(await sent(port, `${head}Connection: close\r\n\r\n`)).toMatch(expected);
});

it.each([
  ['bytes that are no request', 'NONSENSE\r\n\r\n', 'bad_request'],
  ['CONNECT', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 'not_implemented'],
  ['a head of 20 KB', `${HEAD}X: ${'a'.repeat(20_000)}\r\n\r\n`, 'headers_too_large'],
])('%s get a problem on the connection', async (_what, bytes, code) => {
  const { port, seen } = await startGuarded({
    ...PATIENT,
    publicUrl: 'https://shop.example',
  });
  const text = await sent(port, bytes);
  expect(text).toContain(`"type":"https://shop.example/problems/${code}"`);
  expect(seen()).toBe(0);
});

it('callers who send slowly get request_timeout, which is logged with the id of the problem', async () => {
  const logged: object[] = [];
  const { port } = await startGuarded({
    requestTimeoutMs: 50,
    headersTimeoutMs: 40,
    checkEveryMs: 10,
    log: { info: (facts) => void logged.push(facts) },
  });
  const text = await sent(port, 'GET /own HTTP/1.1\r\n');
  expect(text).toContain('"code":"request_timeout"');
  const [, reqId] = /"request_id":"([^"]+)"/.exec(text) ?? [];
  expect(logged).toEqual([{ reqId, status: 408, code: 'request_timeout' }]);
});

it('a connection with more than eight requests under way is closed', async () => {
  const lines: string[] = [];
  const log = { info: (_facts: object, line: string) => void lines.push(line) };
  const { port, seen } = await startGuarded({ ...PATIENT, log });
  const never = HEAD.replace('/own', '/never');
  expect(await sent(port, `${never}\r\n`.repeat(20))).toBe('');
  expect(seen()).toBeLessThanOrEqual(8);
  expect(lines.join()).toContain('without waiting for replies');
});

it('a connection that takes nothing of its reply is closed', async () => {
  const timeouts = Promise.withResolvers<number>();
  const { port } = await startGuarded({
    ...PATIENT,
    sendTimeoutMs: 100,
    onSendTimeout: timeouts.resolve,
  });
  const socket = connect(port, '127.0.0.1')
    .pause()
    .on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write(`${HEAD.replace('/own', '/large')}\r\n`);
  expect(await timeouts.promise).toBe(1);
});

it('an app that drains closes each connection with its next reply, and answers', async () => {
  const { port, guard } = await startGuarded();
  guard?.drain();
  expect(await sent(port, `${HEAD}\r\n`)).toMatch(/200 OK.*Connection: close.*own$/s);
});

it('an app that closes answers what still reaches it with 503, and closes what is not used', async () => {
  const { port, guard, seen } = await startGuarded();
  const idle = sent(port, '');
  guard?.beginClosing();
  expect(await sent(port, `${HEAD}\r\n`)).toMatch(/^HTTP\/1\.1 503 .*"code":"shutting_down"/s);
  expect(seen()).toBe(0);
  expect(await idle).toBe('');
});
