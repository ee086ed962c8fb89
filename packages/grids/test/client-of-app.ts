import { createClient, type DynamicQueryClient } from '@proj/client';
import { EVERYTHING, type EngineSettings, openEngine } from '@proj/engine';
import { buildApp, Lifecycle } from '@proj/server';
import { sqlite } from '@proj/sqlite';
import { afterFile } from '@proj/test-servers';

const SETTINGS = { expose: 'all', maxPageSize: 1000, queryTimeoutMs: 10_000 } as const;

/** A client of the service's own app, which listens at no port. Both end with the test file. */
export async function clientOfApp(
  settings: Pick<EngineSettings, 'database' | 'models'> & Partial<EngineSettings>,
): Promise<DynamicQueryClient> {
  const engine = await openEngine({ kinds: [sqlite], ...SETTINGS, ...settings });
  afterFile(async () => engine.close());
  const principal = { name: 'test', id: 'test', role: null, grant: EVERYTHING };
  const app = await buildApp({
    engine,
    authenticate: async () => principal,
    lifecycle: new Lifecycle(),
    logLevel: 'silent',
  });
  afterFile(async () => app.close());
  return createClient({
    baseUrl: 'http://app.test',
    token: 'token',
    fetch: async (request) => {
      request.signal.throwIfAborted();
      const { pathname, search } = new URL(request.url);
      const { statusCode, headers, rawPayload } = await app.inject({
        method: request.method as 'GET' | 'POST',
        url: pathname + search,
        headers: Object.fromEntries(request.headers),
        payload: Buffer.from(await request.arrayBuffer()),
      });
      const texts = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
      return new Response(new Uint8Array(rawPayload), {
        status: statusCode,
        headers: Object.fromEntries(texts),
      });
    },
  });
}
