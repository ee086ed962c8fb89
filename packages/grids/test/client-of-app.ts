import { Readable } from 'node:stream';

import { type ClientOptions, createClient, type DynamicQueryClient } from '@proj/client';
import { type Engine, EVERYTHING, type EngineSettings, openEngine } from '@proj/engine';
import { buildApp, Lifecycle } from '@proj/server';
import { sqlite } from '@proj/sqlite';
import { afterFile } from '@proj/test-servers';

const SETTINGS = { expose: 'all', maxPageSize: 1000, queryTimeoutMs: 10_000 } as const;

/** A client of the service's own app, which listens at no port. Both end with the test file. */
export async function clientOfApp(
  settings: Pick<EngineSettings, 'database' | 'models'> & Partial<EngineSettings>,
): Promise<DynamicQueryClient> {
  return clientOf(await engineOf(settings));
}

/** An engine that ends with the test file. */
export async function engineOf(settings: Parameters<typeof clientOfApp>[0]): Promise<Engine> {
  const engine = await openEngine({ kinds: [sqlite], ...SETTINGS, ...settings });
  afterFile(async () => engine.close());
  return engine;
}

/** A client with this grant. */
export async function clientOf(
  engine: Engine,
  grant = EVERYTHING,
  options: Pick<ClientOptions, 'int64'> = {},
): Promise<DynamicQueryClient> {
  const app = await buildApp({
    engine,
    authenticate: async () => ({ name: 'test', id: 'test', role: null, grant }),
    lifecycle: new Lifecycle(),
    logLevel: 'silent',
  });
  afterFile(async () => app.close());
  return createClient({
    ...options,
    baseUrl: 'http://app.test',
    token: 'token',
    fetch: async (request) => {
      request.signal.throwIfAborted();
      const { pathname, search } = new URL(request.url);
      const reply = await app.inject({
        method: request.method as 'GET' | 'POST',
        url: pathname + search,
        headers: Object.fromEntries(request.headers),
        payload: Buffer.from(await request.arrayBuffer()),
        payloadAsStream: true,
        signal: request.signal,
      });
      const { statusCode, headers } = reply;
      const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
      return new Response(Readable.toWeb(reply.stream()) as ReadableStream, {
        status: statusCode,
        headers: Object.fromEntries(texts),
      });
    },
  });
}
