import { METHODS } from 'node:http';

import { API_PATHS, PROBLEMS } from '@proj/contract';
import { describe, expect, it } from 'vitest';

import { demandAccessRules } from '../src/http/plugins/access.ts';
import { emptyApp, MODELS_PATH, QUERY_PATH, sharedService } from './helper.ts';
import { readProblem } from './problem.ts';

const service = await sharedService();

/** What routes allow. */
const ROUTES: readonly (readonly [path: string, allow: string])[] = [
  [QUERY_PATH, 'POST, QUERY'],
  [MODELS_PATH, 'GET, HEAD'],
  [`${MODELS_PATH}/cities`, 'GET, HEAD'],
  ['/livez', 'GET, HEAD'],
  ['/readyz', 'GET, HEAD'],
  ['/problems/internal', 'GET, HEAD'],
];

describe('a path that is known', () => {
  // CONNECT never reaches a route.
  const methods = METHODS.filter((method) => method !== 'CONNECT');
  it.each(ROUTES)(
    '%s answers every other method with the methods that it takes: %s',
    async (url, allow) => {
      for (const method of methods.filter(
        (name) => name !== 'HEAD' && !allow.split(', ').includes(name),
      )) {
        const reply = await request(method, url);
        expect(reply).toBeProblem('method_not_allowed');
        expect(reply.headers.allow).toBe(allow);
      }
    },
  );

  it('answers HEAD with the refusal alone where GET is not taken', async () => {
    const reply = await request('HEAD', QUERY_PATH);
    expect(reply).toMatchObject({ statusCode: 405, body: '', headers: { allow: 'POST, QUERY' } });
  });

  it('is refused by its method before the body and the token are looked at', async () => {
    const payload = 'x'.repeat(100_000);
    const reply = await service.app.inject({
      method: 'PUT',
      url: QUERY_PATH,
      headers: { 'content-type': 'text/plain' },
      payload,
    });
    expect(reply).toBeProblem('method_not_allowed');
  });
});

describe('a path that is not known', () => {
  const paths = [
    '/',
    '/api',
    '/api/v1/dynamic',
    '/api/v2/dynamic/query',
    `${QUERY_PATH}/`,
    `/${QUERY_PATH}`,
    '/API/v1/dynamic/query',
    '/favicon.ico',
    '/..%2f..%2fetc/passwd',
    '/livez/',
    '/problems/',
    '/problems/nowhere',
    '/problems/__proto__',
    '/problems/toString',
    '/api/v1/dynamic/query;a=b',
    `${MODELS_PATH}/cities/x`,
    '/*',
    '/metrics.json',
    '/.env',
    '/%00',
  ];
  it.each(paths)('is not_found, whatever the body: %s', async (url) => {
    expect(await request('GET', url)).toBeProblem('not_found');
    expect([404, 405]).toContain((await request('POST', url, '{')).statusCode);
    expect([404, 405]).toContain((await request('PROPFIND', url, '{')).statusCode);
  });

  it('is answered with the paths of the API', async () => {
    const { detail } = readProblem(await request('GET', '/facet'), 'not_found');
    for (const path of Object.values(API_PATHS)) expect(detail).toContain(path);
  });

  it.each(['text/plain', 'application/json', 'multipart/form-data; boundary=x', ''])(
    'is not_found before a body of %j is read',
    async (type) => {
      const payload = '['.repeat(100_000);
      const headers = { 'content-type': type };
      expect(
        await service.app.inject({ method: 'POST', url: '/nowhere', headers, payload }),
      ).toBeProblem('not_found');
    },
  );

  it.each(['/%', '/%zz', '/%c3%28', `${MODELS_PATH}/%ff`])(
    'is a bad_request where its escapes are broken: %s',
    async (url) => {
      expect(await request('GET', url)).toBeProblem('bad_request');
    },
  );

  it('is uri_too_long where a part of it is longer than any name', async () => {
    expect(await service.get(`${MODELS_PATH}/${'a'.repeat(1025)}`)).toBeProblem('uri_too_long');
    expect(await service.get(`${MODELS_PATH}/${'a'.repeat(1024)}`)).toBeProblem('not_found');
  });
});

describe('the page of a problem', () => {
  it.each(Object.entries(PROBLEMS))(
    '%s explains what the type of the problem leads to',
    async (code, { title, status }) => {
      const reply = await service.app.inject(`/problems/${code}`);
      expect(reply.statusCode).toBe(200);
      expect(reply.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'x-content-type-options': 'nosniff',
      });
      expect(reply.body).toContain(`<h1>${title}</h1>`);
      expect(reply.body).toContain(`<code>${code}</code> · HTTP status ${status}`);
      expect(
        reply.body.replaceAll(
          /<\/?(!doctype|html|meta|title|style|h1|p|code|strong|nav|a)\b[^>]*>/g,
          '',
        ),
      ).not.toMatch(/<|`/);
    },
  );
});

describe('a route that does not say who may use it', () => {
  it.each(['GET', 'POST'])('is refused when it is registered: %s', async (method) => {
    const { default: Fastify } = await import('fastify');
    const app = Fastify();
    demandAccessRules(app);
    const register = () => app.route({ method, url: '/open', handler: () => 'open' });
    expect(register).toThrow(/\/open has no access rule/);
    expect(() =>
      app.route({ method, url: '/said', config: { access: 'public' }, handler: () => '' }),
    ).not.toThrow();
    await app.close();
  });

  it('keeps the whole app from starting, in whatever plugin it is', async () => {
    const app = await emptyApp();
    const late = app.register(async (scope) => {
      scope.get('/late', () => 'open');
    });
    await expect(Promise.resolve(late).then(() => app.ready())).rejects.toThrow(
      /GET \/late has no access rule/,
    );
  });
});

function request(method: string, url: string, payload?: string) {
  const body =
    payload === undefined ? {} : { payload, headers: { 'content-type': 'application/json' } };
  // Fastify's type of methods leaves out those that only Node knows.
  return service.app.inject({ method: method as 'GET', url, ...body });
}
