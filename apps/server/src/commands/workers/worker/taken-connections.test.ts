import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';

import { listenOnFreePort } from '@proj/test-servers';
import { expect, it, onTestFinished } from 'vitest';

import { TakenConnections } from './taken-connections.ts';

it('a connection that a worker has taken ends when its request does not come in time', async () => {
  const limits = { requestTimeout: 100, headersTimeout: 50, connectionsCheckingInterval: 10 };
  const http = createHttpServer(limits);
  const taken = new TakenConnections(http);
  const accepting = createServer({ pauseOnConnect: true }, (socket) => taken.take(socket));
  const caller = connect(await listenOnFreePort(accepting), '127.0.0.1');
  onTestFinished(() => {
    caller.destroy();
    accepting.close();
    // It never listened, so that only this ends its timer.
    http.emit('close');
  });
  caller.write('GET /livez HTTP/1.1\r\n');
  const [data] = (await once(caller, 'data')) as [Buffer];
  expect(data.toString()).toMatch(/^HTTP\/1\.1 408 /);
});
