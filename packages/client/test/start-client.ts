import { type ClientOptions, createClient } from '@proj/client';

import { TOKEN } from './contract-service.ts';
import { type Answer, serve } from './http-server.ts';

/** A server that stops with the test, and a client of it that repeats no request by itself. */
export async function startClient(answer: Answer, options: Partial<ClientOptions> = {}) {
  const server = await serve(answer);
  const client = createClient({ baseUrl: server.url, token: TOKEN, retries: 0, ...options });
  return { client, server };
}
