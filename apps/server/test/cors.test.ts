import { afterFile } from '@proj/test-servers';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';

import { emptyApp, QUERY_PATH } from './helper.ts';

const ORIGIN = 'https://app.example.com';

const open = await emptyApp({ corsOrigins: [ORIGIN] }, afterFile);
const closed = await emptyApp({}, afterFile);

function preflight(app: FastifyInstance, origin: string) {
  const headers = {
    origin,
    'access-control-request-method': 'QUERY',
    'access-control-request-headers': 'authorization,content-type,if-none-match',
  };
  return app.inject({ method: 'OPTIONS', url: QUERY_PATH, headers });
}

describe('a page of another origin', () => {
  it('may call the service where the settings name its origin, without credentials', async () => {
    const { statusCode, headers } = await preflight(open, ORIGIN);
    expect(statusCode).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-headers': expect.stringMatching(/Authorization.*If-None-Match/),
      'access-control-allow-methods': 'GET, POST, QUERY',
    });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('may send what agents send, and learns where to get a token, where agents are served', async () => {
    const mcp = {
      publicUrl: 'https://data.example.com',
      issuers: () => ['https://id.example.com'],
    };
    const app = await emptyApp({ corsOrigins: [ORIGIN], mcp });
    const asked = await preflight(app, ORIGIN);
    expect(asked.headers['access-control-allow-headers']).toContain('Mcp-Protocol-Version');
    const headers = { origin: ORIGIN, host: 'data.example.com' };
    const refused = await app.inject({ method: 'POST', url: '/mcp', headers });
    expect(refused.headers['access-control-expose-headers']).toContain('WWW-Authenticate');
    expect(refused.headers['www-authenticate']).toContain('resource_metadata="https://data.');
  });

  it('learns of a failure, too', async () => {
    const reply = await open.inject({
      method: 'POST',
      url: QUERY_PATH,
      headers: { origin: ORIGIN },
    });
    expect(reply.statusCode).toBe(401);
    expect(reply.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(reply.headers['access-control-expose-headers']).toMatch(
      /Accept-Query.*ETag.*X-Request-Id/,
    );
  });

  it('learns which methods a path has, and the log names the path of each request', async () => {
    const lines: string[] = [];
    const logStream = { write: (line: string) => void lines.push(line) };
    const app = await emptyApp({ logLevel: 'info', logStream, corsOrigins: [ORIGIN] });
    await preflight(app, ORIGIN);
    for (const method of ['PUT', 'PROPFIND'] as const) {
      const headers = { origin: ORIGIN };
      const reply = await app.inject({ method: method as 'PUT', url: QUERY_PATH, headers });
      expect(reply.statusCode).toBe(405);
      expect(reply.headers).toMatchObject({
        allow: 'POST, QUERY',
        'access-control-allow-origin': ORIGIN,
      });
    }
    const routes = lines.map((line) => (JSON.parse(line) as { readonly route: unknown }).route);
    expect(routes).toEqual([QUERY_PATH, QUERY_PATH, QUERY_PATH]);
  });

  it('learns that nothing is at a path, as with a wrong address of the service', async () => {
    const reply = await open.inject({ method: 'POST', url: '/wrong', headers: { origin: ORIGIN } });
    expect(reply.statusCode).toBe(404);
    expect(reply.headers['access-control-allow-origin']).toBe(ORIGIN);
  });

  it('may not where its origin is not named', async () => {
    expect(
      (await preflight(open, 'https://evil.example.com')).headers['access-control-allow-origin'],
    ).toBeUndefined();
    const reply = await preflight(closed, ORIGIN);
    expect(reply.statusCode).toBe(405);
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  });
});

it.each([
  [QUERY_PATH, {}, 'method_not_allowed'],
  [QUERY_PATH, { origin: ORIGIN }, 'method_not_allowed'],
  ['/wrong', {}, 'not_found'],
])('OPTIONS %s with %j, which asks for no other request, is %s', async (url, headers, code) => {
  for (const app of [open, closed]) {
    const reply = await app.inject({ method: 'OPTIONS', url, headers });
    expect(reply.json()).toMatchObject({ code });
  }
});
