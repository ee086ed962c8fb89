import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { createHandler } from '@proj/fastify';
import { sqlite } from '@proj/sqlite';
import express, { type Express, type Request as Asked } from 'express';

const handle = await createHandler<Asked>({
  prefix: '/data',
  database: process.env['DATABASE_URL'] ?? '',
  kinds: [sqlite],
  models: 'all',
  principal: (request) => (request.get('user') === undefined ? null : { id: 'somebody' }),
});

const app: Express = express();

// Before any parser of bodies, which would leave nothing to read.
app.all('/data/*path', async (request, response) => {
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const asked = new Request(new URL(request.originalUrl, 'http://localhost'), {
    method: request.method,
    headers: request.headers as Record<string, string>,
    ...(hasBody && { body: Readable.toWeb(request), duplex: 'half' }),
    signal: leaving.signal,
  });
  const reply = await handle(asked, request);
  response.status(reply.status).setHeaders(reply.headers);
  if (reply.body === null) response.end();
  else await pipeline(Readable.fromWeb(reply.body), response);
});

export default app; // app.listen(3000)
