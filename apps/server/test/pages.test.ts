import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gunzipSync, gzipSync } from 'node:zlib';

import { PROBLEMS } from '@proj/contract';
import { filesIn } from '@proj/fastify/host';
import { afterFile } from '@proj/test-servers';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';

import { emptyApp, sharedService } from './helper.ts';

const { app } = await sharedService();
const other = await sharedService({
  sql: 'create table otherwise_named (id integer primary key);',
});

const STRICT =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PROGRAM = {
  'content-security-policy': STRICT,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** The addresses that a page names, as a browser would ask for them. */
function addresses(page: string, url: string): string[] {
  const found = [...page.matchAll(/(?:href|src)="(?!data:)([^"]*)"/g)].map(
    ([, address = '']) => new URL(address, `http://here${url}`),
  );
  return found.map(({ origin, pathname }) =>
    origin === 'http://here' ? pathname : `${origin}${pathname}`,
  );
}

describe('the API reference', () => {
  it('is a page that loads its own files and nothing else', async () => {
    const { headers, body } = await app.inject('/docs');
    expect(headers).toMatchObject({ ...PROGRAM, 'content-type': 'text/html; charset=utf-8' });
    expect(body).not.toMatch(/<script>|<style|style=/);
    expect(addresses(body, '/docs')).toEqual([
      '/docs/swagger-ui.css',
      '/docs/swagger-ui-bundle.js',
      '/docs/start.js',
    ]);
  });

  it.each([
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 'application/javascript; charset=utf-8'],
    ['/docs/start.js', 'application/javascript; charset=utf-8'],
  ])('has its file %s', async (url, type) => {
    const { statusCode, headers, body } = await app.inject(url);
    expect({ statusCode, type: headers['content-type'] }).toEqual({ statusCode: 200, type });
    expect(headers).toMatchObject({ ...PROGRAM, 'cache-control': 'public, max-age=3600' });
    expect(body).toMatch(/swagger/i);
  });

  it('reads the document of this server, and sends it to no validator', async () => {
    const { body } = await app.inject('/docs/start.js');
    const options: unknown[] = [];
    runInNewContext(body, { SwaggerUIBundle: (given: unknown) => options.push(given) });
    expect(options).toMatchObject([{ url: 'openapi.json', validatorUrl: null }]);
  });

  it('has files that are confirmed by their ETag', async () => {
    const url = '/docs/swagger-ui-bundle.js';
    const { headers } = await app.inject(url);
    const again = await app.inject({ url, headers: { 'if-none-match': headers.etag } });
    expect({ statusCode: again.statusCode, body: again.body }).toEqual({
      statusCode: 304,
      body: '',
    });
  });

  it.each([
    '/docs/',
    '/docs/swagger-ui.js',
    '/docs/index.html',
    '/docs/..%2findex.js',
    '/docs/static/swagger-ui.css',
  ])('has nothing else: %s', async (url) => {
    expect(await app.inject(url)).toBeProblem('not_found');
  });
});

describe.each([
  ['/openapi-3.0.json', '3.0.4'],
  ['/openapi.json', '3.1.1'],
  ['/openapi-3.2.json', '3.2.0'],
])('the OpenAPI document %s', (path, version) => {
  it('is there for everybody, and confirmed by its ETag', async () => {
    const { statusCode, headers, body } = await app.inject(path);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, no-cache',
    });
    expect(JSON.parse(body)).toMatchObject({ openapi: version });
    const again = await app.inject({
      url: path,
      headers: { 'if-none-match': headers.etag },
    });
    expect({ statusCode: again.statusCode, body: again.body }).toEqual({
      statusCode: 304,
      body: '',
    });
  });

  it('names no model', async () => {
    expect((await other.app.inject(path)).body).toBe((await app.inject(path)).body);
  });
});

describe('the list of problems', () => {
  it('leads to the page of each, which leads back', async () => {
    const { headers, body } = await app.inject('/problems');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const expected = Object.keys(PROBLEMS).map((code) => `/problems/${code}`);
    expect(addresses(body, '/problems')).toEqual([...expected, '/docs']);
    const page = await app.inject('/problems/internal');
    expect(addresses(page.body, '/problems/internal')).toEqual(['/problems', '/docs']);
  });

  it('allows its one style sheet by its hash, and nothing else', async () => {
    for (const url of ['/problems', '/problems/internal']) {
      const { headers, body } = await app.inject(url);
      const style = /<style>(.*)<\/style>/s.exec(body)?.[1] ?? '';
      const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(style))).toString(
        'base64',
      );
      expect(headers['content-security-policy']).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      );
    }
  });
});

/** An app with an explorer that was built. */
async function appWithExplorer(): Promise<FastifyInstance> {
  const directory = mkdtempSync(join(tmpdir(), 'dynamic-query-explorer-'));
  mkdirSync(join(directory, 'assets'));
  writeFileSync(
    join(directory, 'index.html'),
    '<!doctype html><script type="module" src="./assets/index-1.js"></script>',
  );
  writeFileSync(join(directory, 'assets/index-1.js'), 'start();');
  writeFileSync(join(directory, 'assets/index-1.js.gz'), gzipSync('start();'));
  for (const name of ['secret.txt', 'assets/.env']) writeFileSync(join(directory, name), 'secret');
  afterFile(() => rmSync(directory, { recursive: true }));
  return emptyApp({ explorer: filesIn(directory) }, afterFile);
}

const explorer = await appWithExplorer();

describe('the explorer', () => {
  it('is at /, is asked for anew each time, and is confirmed by its ETag', async () => {
    const { statusCode, headers, body } = await explorer.inject('/');
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      ...PROGRAM,
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(addresses(body, '/')).toEqual(['/assets/index-1.js']);
    const again = await explorer.inject({ url: '/', headers: { 'if-none-match': headers.etag } });
    expect(again.statusCode).toBe(304);
    expect((await explorer.inject('/?model=cities&page=3')).body).toBe(body);
  });

  it('has assets that never change', async () => {
    const { statusCode, headers, body } = await explorer.inject('/assets/index-1.js');
    expect({ statusCode, body }).toEqual({ statusCode: 200, body: 'start();' });
    expect(headers).toMatchObject({
      ...PROGRAM,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'application/javascript; charset=utf-8',
    });
  });

  it('sends an asset compressed where it was built so', async () => {
    const { headers, rawPayload } = await explorer.inject({
      url: '/assets/index-1.js',
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: expect.stringMatching(/accept-encoding/i),
    });
    expect(gunzipSync(rawPayload).toString()).toBe('start();');
  });

  it('sends an asset as it is to who takes no compressed copy, and says that there are copies', async () => {
    for (const accepted of ['br', 'gzip;q=0', 'identity']) {
      const { headers, body } = await explorer.inject({
        url: '/assets/index-1.js',
        headers: { 'accept-encoding': accepted },
      });
      expect({ body, vary: headers.vary }).toEqual({ body: 'start();', vary: 'accept-encoding' });
      expect(headers).not.toHaveProperty('content-encoding');
    }
  });

  it.each([
    '/assets',
    '/assets/',
    '/assets/none.js',
    '/assets/index-1.js.gz',
    '/index.html',
    '/secret.txt',
    '/explorer',
  ])('has nothing else: %s', async (url) => {
    expect(await explorer.inject(url)).toBeProblem('not_found');
  });

  it.each([
    '/assets/../secret.txt',
    '/assets/..%2fsecret.txt',
    '/assets/%2e%2e/secret.txt',
    '/assets//etc/passwd',
    '/assets/.env',
  ])('shows no file beside it: %s', async (url) => {
    const { statusCode, headers, body } = await explorer.inject(url);
    expect([400, 404]).toContain(statusCode);
    expect(headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(body).not.toContain('secret');
  });

  it('takes GET and HEAD only', async () => {
    for (const url of ['/', '/assets/index-1.js']) {
      const reply = await explorer.inject({ method: 'POST', url, payload: '{' });
      expect(reply).toBeProblem('method_not_allowed');
      expect(reply.headers.allow).toBe('GET, HEAD');
      expect((await explorer.inject({ method: 'HEAD', url })).statusCode).toBe(200);
    }
  });

  it('is not there where the settings leave it out', async () => {
    expect(await app.inject('/')).toBeProblem('not_found');
    expect(await app.inject('/assets/index-1.js')).toBeProblem('not_found');
  });
});
