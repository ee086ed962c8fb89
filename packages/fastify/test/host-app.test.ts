import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import session from '@fastify/session';
import type { DatabaseKind } from '@proj/engine/database';
import { sqlite } from '@proj/sqlite';
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify';
import { describe, expect, it, type MockInstance, onTestFinished, vi } from 'vitest';

import { dynamicQuery } from '../src/plugin.ts';
import { CLERK, ordersPage, QUERY, shop } from './shop.ts';

declare module 'fastify' {
  interface Session {
    tenant?: string;
  }
}

interface Host {
  readonly app: FastifyInstance;
  /** What the hooks and the error handler of the host were called for. */
  readonly calls: string[];
}

/** An app with all that apps have. */
async function startHost(plugged: (app: FastifyInstance) => Promise<void>): Promise<Host> {
  const calls: string[] = [];
  const app = Fastify({ genReqId: () => 'an-id', routerOptions: { ignoreTrailingSlash: true } });
  onTestFinished(() => app.close());
  await app.register(cookie);
  await app.register(session, { secret: 's'.repeat(32), cookie: { secure: false } });
  await app.register(cors, { origin: 'https://shop.example' });
  await app.register(helmet);
  await app.register(rateLimit, { max: 100 });
  app.decorateRequest('principal', 'of the host');
  app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) =>
    done(null, String(body).split(',')),
  );
  app.setReplySerializer((payload) => JSON.stringify({ serialized: payload }));
  app.setErrorHandler((error, request, reply) => {
    calls.push(`error ${request.url}`);
    return reply.status(418).send({ handled: String(error) });
  });
  app.addHook('preHandler', async (request) => void calls.push(`preHandler ${request.url}`));
  await plugged(app);
  const body = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
  app.post('/checked', { schema: { body } }, ({ body: checked }) => checked);
  app.post('/csv', ({ body: cells }) => cells);
  app.get('/fail', () => {
    throw new Error('of the host');
  });
  app.get('/mine', (request) => Object.keys(Object.getPrototypeOf(request) as object).toSorted());
  app.post<{ Querystring: { tenant: string } }>('/sign-in', async (request) => {
    request.session.tenant = request.query.tenant;
    return {};
  });
  app.all('/any', ({ method }) => method);
  return { app, calls };
}

const REQUESTS: readonly InjectOptions[] = [
  { url: '/mine' },
  { url: '/fail' },
  { url: '/nothing' },
  { url: '/nothing', method: 'POST', payload: { n: 1 } },
  { url: '/any', method: 'QUERY', payload: { n: 1 } },
  { url: '/any', method: 'REPORT' },
  { url: '/any', method: 'OPTIONS', headers: { origin: 'https://shop.example' } },
  { url: '/checked', method: 'POST', payload: { n: 1 } },
  { url: '/checked', method: 'POST', payload: { n: 'one' } },
  {
    url: '/checked',
    method: 'POST',
    payload: '{"n":',
    headers: { 'content-type': 'application/json' },
  },
  { url: '/csv', method: 'POST', payload: 'a,b', headers: { 'content-type': 'text/csv' } },
  { url: '/csv', method: 'POST', payload: 'a', headers: { 'content-type': 'text/html' } },
];

/** What is sent for each of the requests, and what the host heard of it. */
async function behaviour({ app, calls }: Host): Promise<object[]> {
  calls.length = 0;
  const seen: object[] = [];
  for (const request of REQUESTS) {
    const { statusCode, headers, body } = await app.inject(request);
    const lasting = Object.entries(headers).filter(
      ([name]) => !/^(date|set-cookie|x-ratelimit-re)/.test(name),
    );
    seen.push({ statusCode, headers: Object.fromEntries(lasting), body, calls: calls.splice(0) });
  }
  return seen;
}

async function plugTwo(app: FastifyInstance): Promise<void> {
  const served = { models: 'all', principal: () => ({ id: 'somebody' }) } as const;
  await app.register(dynamicQuery, { prefix: '/one', ...shop(), ...served });
  await app.register(dynamicQuery, { prefix: '/two', decorator: 'second', ...shop(), ...served });
}

describe('in an app with schemas, hooks, parsers, sessions and handlers of its own, two instances', () => {
  it('change nothing of any other route', async () => {
    const without = await behaviour(await startHost(async () => undefined));
    const withTwo = await behaviour(await startHost(plugTwo));
    const names = ['dynamicQuery', 'second'];
    const [mine, ...others] = withTwo as { readonly body: string }[];
    const decorators = JSON.parse(mine?.body ?? '') as { serialized: string[] };
    expect(others).toEqual(without.slice(1));
    expect(decorators.serialized.filter((name) => !names.includes(name))).toEqual(
      (JSON.parse((without[0] as { body: string }).body) as typeof decorators).serialized,
    );
  });

  it('answer side by side, with the headers of the host, and their errors reach no handler of it', async () => {
    const { app, calls } = await startHost(plugTwo);
    const ask = (prefix: string, payload: object) =>
      app.inject({ method: 'POST', url: `/${prefix}${QUERY}`, payload });
    const [one, two, wrong] = [
      await ask('one', ordersPage()),
      await ask('two', ordersPage(2)),
      await ask('one', {}),
    ];
    expect([one.json(), two.json()]).toMatchObject([
      { page: { size: '10' } },
      { page: { size: '2' } },
    ]);
    expect(one.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'strict-transport-security': expect.any(String),
      'x-ratelimit-limit': '100',
    });
    expect([wrong.statusCode, wrong.json()]).toMatchObject([
      400,
      { code: 'missing_member', request_id: 'an-id' },
    ]);
    expect(calls).toEqual(
      [one, two, wrong].map((_, index) => `preHandler /${['one', 'two', 'one'][index]}${QUERY}`),
    );
  });

  it('know who asks by the session of the host', async () => {
    const { app } = await startHost(async (host) => {
      await host.register(dynamicQuery, {
        prefix: '/data',
        ...shop(),
        models: ['orders'],
        roles: CLERK,
        principal: ({ session: { tenant } }) =>
          tenant === undefined ? null : { id: tenant, role: 'clerk', claims: { tenant } },
      });
    });
    const signedIn = await app.inject({ method: 'POST', url: '/sign-in?tenant=b' });
    const [cookieOf = ''] = String(signedIn.headers['set-cookie']).split(';');
    const ask = (sent: Record<string, string>) =>
      app.inject({ method: 'POST', url: `/data${QUERY}`, payload: ordersPage(), headers: sent });
    expect((await ask({})).statusCode).toBe(401);
    expect((await ask({ cookie: cookieOf })).json()).toMatchObject({ page: { total: '3' } });
  });

  it('leave no database open when the app closes, though a route of theirs was taken', async () => {
    const closes: MockInstance[] = [];
    const kind: DatabaseKind = {
      ...sqlite,
      open: async (url, settings) => {
        const source = await sqlite.open(url, settings);
        closes.push(vi.spyOn(source, 'close'));
        return source;
      },
    };
    const app = Fastify();
    app.post(`/data${QUERY}`, () => 'of the app');
    const options = { ...shop(), kinds: [kind], models: 'all', principal: () => null } as const;
    await expect(app.register(dynamicQuery, { prefix: '/data', ...options })).rejects.toThrow(
      'already declared',
    );
    await app.close();
    expect(closes.map(({ mock }) => mock.calls.length)).toEqual([1]);
  });

  it('leave nothing open when the app closes: its process ends', async () => {
    const program = fileURLToPath(new URL('programs/closing-app.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [program, shop().database]);
    expect(stdout).toBe('answered 200, closed\n');
  });
});
