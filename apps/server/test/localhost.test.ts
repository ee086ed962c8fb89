import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';

import { expect, it } from 'vitest';

import { listenThrough } from '../src/commands/listeners.ts';
import { startService, until } from './helper.ts';
import { rawExchange } from './raw-http.ts';

const HOSTS = ['127.0.0.1', '127.0.0.2'];

const request = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: test\r\n${headers}\r\n`;

it('all addresses of localhost have the bounds of the service, and answer what is in flight when it closes', async () => {
  const asked: (() => void)[] = [];
  const ping = (): Promise<void> => new Promise((answer) => asked.push(answer));
  const { app } = await startService({ stub: { ping } });
  await listenThrough(app, { host: 'localhost', port: 0 }, async () => HOSTS);
  const { port } = app.server.address() as AddressInfo;
  for (const host of HOSTS) {
    expect(await rawExchange(port, request('/livez', 'Connection: close\r\n'), host)).toMatch(
      / 200 /,
    );
    expect(await rawExchange(port, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', host)).toMatch(
      / 501 /,
    );
    expect(await rawExchange(port, request('/readyz').repeat(2000), host)).toBe('');
  }
  expect(asked.length).toBeLessThanOrEqual(2 * 8);
  const before = asked.length;
  const inFlight = HOSTS.map((host) => rawExchange(port, request('/readyz'), host));
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
