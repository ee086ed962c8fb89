import { expect, it } from 'vitest';

import { listen, sharedService, TOKEN } from './helper.ts';
import { rawReply } from './raw-http.ts';

const { app } = await sharedService({
  parts: { mcp: { publicUrl: 'https://data.example.com', issuers: () => [] } },
});
const port = await listen(app);

const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

function toolsAt({ target = '/mcp', host }: { readonly target?: string; readonly host: string }) {
  return rawReply(
    port,
    `POST ${target} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\n` +
      'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n' +
      `Connection: close\r\nContent-Length: ${PING.length}\r\n\r\n${PING}`,
  );
}

it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1:1', '[::1]:3000', 'data.example.com'])(
  '/mcp answers at the host %s',
  async (host) => {
    expect((await toolsAt({ host })).statusCode).toBe(200);
  },
);

it.each([
  'foo@localhost',
  'foo:bar@data.example.com',
  'localhost@data.example.com',
  'localhost/path',
  'localhost?query',
  'localhost#fragment',
  'localhost\\path',
  'local\thost',
  'other.example.com',
  'localhost:port',
])('/mcp refuses the host %j, from which a URL would read another', async (host) => {
  expect(await toolsAt({ host })).toBeProblem('origin_refused');
});

it('/mcp answers a request whose target is a URL with a login', async () => {
  const target = 'http://foo:bar@localhost/mcp';
  expect((await toolsAt({ target, host: 'localhost' })).statusCode).toBe(200);
});
