import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';

import { expect, it } from 'vitest';

import { listenThrough } from '../src/commands/listeners.ts';
import { startService, until } from './helper.ts';

const HOSTS = ['127.0.0.1', '127.0.0.2'];

/** All that came back until the server closed the connection. */
async function exchange(port: number, host: string, text: string): Promise<string> {
  const socket = connect(port, host).on('error', () => undefined);
  let received = '';
  socket.on('data', (part) => {
    received += String(part);
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(text);
  await closed;
  return received;
}

const request = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: test\r\n${headers}\r\n`;

it('all addresses of localhost have the bounds of the service, and answer what is in flight when it closes', async () => {
  const asked: (() => void)[] = [];
  const ping = (): Promise<void> => new Promise((answer) => asked.push(answer));
  const { app } = await startService({ stub: { ping } });
  await listenThrough(app, { host: 'localhost', port: 0 }, async () => HOSTS);
  const { port } = app.server.address() as AddressInfo;
  for (const host of HOSTS) {
    expect(await exchange(port, host, request('/livez', 'Connection: close\r\n'))).toMatch(/ 200 /);
    expect(await exchange(port, host, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/ 501 /);
    expect(await exchange(port, host, request('/readyz').repeat(2000))).toBe('');
  }
  expect(asked.length).toBeLessThanOrEqual(2 * 8);
  const before = asked.length;
  const inFlight = HOSTS.map((host) => exchange(port, host, request('/readyz')));
  await until(() => asked.length === before + 2);
  const closing = app.close();
  await until(() => !app.server.listening);
  for (const answer of asked) answer();
  for (const reply of await Promise.all(inFlight)) expect(reply).toMatch(/ 200 /);
  await closing;
  for (const host of HOSTS) {
    const refused = once(connect(port, host), 'connect');
    await expect(refused).rejects.toThrow('ECONNREFUSED');
  }
});
