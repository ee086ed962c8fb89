import type { Engine } from '@proj/engine';
import Fastify, { type FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { createHandler } from '../src/handler.ts';
import { dynamicQuery, type DynamicQueryOptions } from '../src/plugin.ts';
import type { QueryReport } from '../src/service/data-options.ts';
import { CLERK, openEngineOf, openShop, ordersPage, QUERY, shop } from './shop.ts';

/** What apps of these tests share, where they do not open a database of their own. */
let engine: Engine;

beforeAll(async () => {
  const { remove, ...options } = openShop();
  engine = await openEngineOf(options);
  return async () => {
    await engine.close();
    remove();
  };
});

/** Whoever names a tenant is its clerk. */
const principal: DynamicQueryOptions['principal'] = ({ headers: { tenant } }) =>
  typeof tenant === 'string' ? { id: tenant, role: 'clerk', claims: { tenant } } : null;

async function startApp(options: Partial<DynamicQueryOptions> = {}): Promise<FastifyInstance> {
  const app = Fastify();
  onTestFinished(() => app.close());
  await app.register(dynamicQuery, {
    prefix: '/data',
    ...('models' in options ? shop() : { engine }),
    roles: CLERK,
    principal,
    ...options,
  });
  return app;
}

function ask(app: FastifyInstance, tenant?: string, url = `/data${QUERY}`, body = ordersPage()) {
  const headers = tenant === undefined ? {} : { tenant };
  return app.inject({ method: 'POST', url, headers, payload: body });
}

describe('a plugin in an app', () => {
  it('answers a page of what the role of the caller sees, below its prefix', async () => {
    const reply = await ask(await startApp({ models: ['orders'] }), 'a');
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      result: [{ id: '1' }, { id: '3' }],
      page: { total: '2' },
    });
  });

  it('answers 401 to nobody, and 403 to a caller without a role that there is', async () => {
    const app = await startApp({
      principal: ({ headers: { tenant } }) => (tenant === undefined ? null : { id: 'ann' }),
    });
    expect([(await ask(app)).statusCode, (await ask(app, 'a')).statusCode]).toEqual([401, 403]);
  });

  it.each([
    ['an error of status 401', 401, 'unauthenticated'],
    ['an exception of status 403, as other frameworks name it', 403, 'forbidden'],
    ['any other error', 500, 'internal'],
    ['nothing', 401, 'unauthenticated'],
    ['a text', 500, 'internal'],
  ])(
    'answers a `principal` that gives %s by a problem of its meaning',
    async (gives, status, code) => {
      const answers: Record<string, () => unknown> = {
        'an error of status 401': () => {
          throw Object.assign(new Error('no token'), { statusCode: 401 });
        },
        'an exception of status 403, as other frameworks name it': async () => {
          throw Object.assign(new Error('not you'), { status: 403 });
        },
        'any other error': async () => {
          throw Object.assign(new Error('password of the database'), { statusCode: 429 });
        },
        'a text': () => 'admin',
      };
      const answer = answers[gives] ?? (() => undefined);
      const app = await startApp({
        principal: answer as DynamicQueryOptions['principal'],
        roles: undefined,
        challenge: 'Bearer',
      });
      const reply = await ask(app, 'a');
      expect([reply.statusCode, reply.json()]).toMatchObject([status, { status, code }]);
      expect(reply.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
      expect(reply.body).not.toContain('password');
    },
  );

  it.each([
    ['a 64-bit number', 9007199254740993n, '9007199254740993'],
    ['a moment', new Date(0), '1970-01-01T00:00:00.000Z'],
  ])('takes %s of a session as a claim', async (_what, tenant, text) => {
    const app = await startApp({
      ...shop(`insert into orders values (6, 60, '${text}')`),
      models: ['orders'],
      principal: () => ({ id: 'ann', role: 'clerk', claims: { tenant } }),
    });
    expect((await ask(app)).json()).toMatchObject({ result: [{ id: '6' }] });
  });

  it('shows everything to callers of an app without roles', async () => {
    const app = await startApp({ roles: undefined, principal: () => ({ id: 'x' }) });
    expect((await ask(app)).json()).toMatchObject({ page: { total: '5' } });
    const models = await app.inject('/data/api/v1/dynamic/models');
    expect(models.json()).toMatchObject({ models: [{ name: 'customers' }, { name: 'orders' }] });
  });

  it('describes a model whose name is longer than a parameter of the app may be', async () => {
    const name = `é/${'x'.repeat(200)}`;
    const more = `create table "${name}" (id integer primary key)`;
    const app = await startApp({
      ...shop(more),
      models: 'all',
      roles: undefined,
      principal: () => ({ id: 'x' }),
    });
    const at = (path: string) => app.inject(`/data/api/v1/dynamic/models/${path}`);
    expect((await at(encodeURIComponent(name))).json()).toMatchObject({ name });
    expect((await at('orders')).json()).toMatchObject({ name: 'orders' });
    expect((await at('orders/more')).json()).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('takes a role that is its models alone', async () => {
    const app = await startApp({
      roles: { clerk: { orders: { attributes: ['id'] } }, packer: ['orders'], boss: 'all' },
    });
    const { models } = (
      await app.inject({
        url: '/data/api/v1/dynamic/models',
        headers: { tenant: 'a' },
      })
    ).json<{ models: { attributes: object[] }[] }>();
    expect(models).toMatchObject([{ attributes: [{ name: 'id' }] }]);
  });

  it('serves the routes that are named, and describes them alone', async () => {
    const app = await startApp({ routes: ['query', 'openapi'] });
    const { paths } = (await app.inject('/data/openapi.json')).json<{ paths: object }>();
    expect(Object.keys(paths)).toEqual([
      QUERY,
      '/openapi.json',
      '/openapi-3.0.json',
      '/openapi-3.2.json',
    ]);
    expect((await ask(app, 'a', '/data/api/v1/dynamic/facets')).statusCode).toBe(404);
  });

  it('sends a whole list, and follows one until the app closes', async () => {
    const app = await startApp();
    const list = { query_model: 'orders', query_attributes: ['id'] };
    const exported = await ask(app, 'b', '/data/api/v1/dynamic/export', list);
    expect(exported.body).toBe('{"id":"2"}\n{"id":"4"}\n{"id":"5"}\n');
    const origin = await app.listen();
    const watched = await fetch(`${origin}/data/api/v1/dynamic/watch`, {
      method: 'POST',
      headers: { tenant: 'b', 'content-type': 'application/json' },
      body: JSON.stringify(list),
    });
    expect([watched.status, watched.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream',
    ]);
    await app.close();
    expect(await watched.text()).toContain('"code":"shutting_down"');
  });

  it('reports each query once its reply is out', async () => {
    const reports: QueryReport[] = [];
    const app = await startApp({ onQuery: (report) => void reports.push(report) });
    await ask(app, 'b');
    await ask(app, 'b', undefined, {});
    expect(reports).toEqual([
      {
        principal: { id: 'b', role: 'clerk', claims: { tenant: 'b' } },
        model: 'orders',
        records: 3,
        milliseconds: expect.any(Number),
      },
    ]);
  });
});

describe('an app around a plugin', () => {
  it('answers the errors of its own hooks itself, and those of a body not at all', async () => {
    const app = Fastify();
    onTestFinished(() => app.close());
    app.setErrorHandler((error, _request, reply) =>
      reply.status(429).send({ handled: String(error) }),
    );
    app.addHook('onRequest', async ({ headers }) => {
      if (headers['x-often'] !== undefined)
        throw Object.assign(new Error('too often'), { statusCode: 429 });
    });
    await app.register(dynamicQuery, { engine, principal: () => ({ id: 'x' }) });
    const post = (headers: Record<string, string>, payload: string) =>
      app.inject({ method: 'POST', url: QUERY, headers, payload });
    const often = await post({ 'x-often': '1' }, '{}');
    expect([often.statusCode, often.json()]).toEqual([429, { handled: 'Error: too often' }]);
    const json = { 'content-type': 'application/json' };
    expect((await post(json, ' '.repeat(70_000))).json()).toMatchObject({ code: 'body_too_large' });
    expect((await post({ 'content-type': 'text/csv' }, '1')).json()).toMatchObject({
      code: 'unsupported_media_type',
    });
    expect((await post(json, '{')).json()).toMatchObject({ code: 'malformed_json' });
  });

  it.each([
    ['throws', () => JSON.parse('{')],
    ['rejects', async () => JSON.parse('{')],
  ] as [string, () => void][])(
    'lives, and has it in its log, where `onQuery` %s',
    async (_how, onQuery) => {
      const lines: string[] = [];
      const log = Promise.withResolvers<void>();
      const write = (line: string): void => {
        lines.push(line);
        if (line.includes('onQuery')) log.resolve();
      };
      const app = Fastify({ logger: { level: 'error', stream: { write } } });
      onTestFinished(() => app.close());
      await app.register(dynamicQuery, { engine, principal: () => ({ id: 'x' }), onQuery });
      const reply = await app.inject({ method: 'POST', url: QUERY, payload: ordersPage() });
      await log.promise;
      expect([reply.statusCode, lines.length]).toEqual([200, 1]);
    },
  );
});

describe('the explorer of a plugin', () => {
  const built = { routes: ['query', 'models', 'explorer'] } as const;
  const meta = /<meta name="app" content="(\w+)">/;

  it.each([
    ['what the app knows', {}, 'session'],
    ['a token', { challenge: 'Bearer realm="shop"' }, 'token'],
  ])('is a page below its prefix that reads by %s', async (_what, options, by) => {
    const app = await startApp({ ...built, ...options });
    const page = await app.inject('/data/');
    expect([page.statusCode, meta.exec(page.body)?.[1]]).toEqual([200, by]);
    const [, asset = ''] = /src="\.\/(assets\/[^"]+)"/.exec(page.body) ?? [];
    const script = await app.inject({
      url: `/data/${asset}`,
      headers: { 'accept-encoding': 'br' },
    });
    expect(script.headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'content-encoding': 'br',
    });
    const etag = String(page.headers.etag);
    const again = await app.inject({ url: '/data/', headers: { 'if-none-match': etag } });
    expect(again.statusCode).toBe(304);
  });

  it('leads from an address without a slash to its page', async () => {
    const app = await startApp(built);
    const { statusCode, headers } = await app.inject('/data');
    expect([statusCode, headers.location]).toEqual([308, 'data/']);
  });

  it('is there only where it is named', async () => {
    const app = await startApp();
    expect((await app.inject('/data/')).statusCode).toBe(404);
  });

  it('is a page of a handler of web requests too', async () => {
    const handle = await createHandler({
      prefix: '/data',
      engine,
      ...built,
      principal: () => ({ id: 'ann' }),
    });
    onTestFinished(() => handle.close());
    const page = await handle(new Request('http://app.example/data/'));
    expect([page.status, meta.exec(await page.text())?.[1]]).toEqual([200, 'session']);
  });
});

describe('request.dynamicQuery', () => {
  it('asks as the caller of the request, on any route of the app', async () => {
    const app = await startApp();
    app.get('/top-orders', async ({ dynamicQuery: data }) => {
      const page = await data.query({
        model: 'orders',
        attributes: ['id'],
        sort: [{ attribute: 'amount', direction: 'desc' }],
        page: 1,
        size: 1,
      });
      return { top: page.records, all: page.totalNumber };
    });
    const top = async (tenant: string) =>
      (await app.inject({ url: '/top-orders', headers: { tenant } })).json<object>();
    expect([await top('a'), await top('b')]).toEqual([
      { top: [{ id: '3' }], all: 2 },
      { top: [{ id: '5' }], all: 3 },
    ]);
  });

  it('is refused as the caller would be', async () => {
    const app = await startApp();
    app.get('/mine', async ({ dynamicQuery: data }) => data.models());
    const reply = await app.inject('/mine');
    expect([reply.statusCode, reply.body]).toEqual([401, expect.stringContaining('signed in')]);
  });
});

describe('what does not fit is an error when the plugin is registered, which names its place', () => {
  it.each([
    ['an unknown model', { models: ['order'] }, /models\.order/],
    [
      'an unknown option of a model',
      { models: { orders: { hiden: true } } },
      /models\.orders\.hiden: there is no such setting/,
    ],
    [
      'an unknown attribute of a role',
      { roles: { clerk: { orders: { attributes: ['x'] } } } },
      /roles\.clerk\.models\.orders\.attributes: The model has no attribute named "x"/,
    ],
    [
      'a filter that is none',
      { roles: { clerk: { orders: { rows: { op: 'eq' } } } } },
      /roles\.clerk\.models\.orders\.rows: /,
    ],
    [
      'a misspelt option',
      { role: { clerk: {} } },
      /^role: there is no such setting\. Did you mean roles\?$/,
    ],
    [
      'an option like none that there is',
      { cors: { origin: true } },
      /^cors: there is no such setting\. The README of @proj\/fastify lists all$/,
    ],
    [
      'a misspelt limit',
      { limits: { max_page_siz: 5 } },
      /^limits\.max_page_siz: there is no such setting\. Did you mean max_page_size\?$/,
    ],
    [
      'a limit that is none',
      { limits: { query_timeout_ms: 0 } },
      /^limits\.query_timeout_ms: expected a whole number from 1 to 2147483647$/,
    ],
    [
      'a limit beside an engine, which has its own',
      { engine: {}, database: undefined, models: undefined, limits: { max_page_size: 5 } },
      /^engine: it has its own database, models and limits\. Pass it alone\.$/,
    ],
    [
      'a misspelt word for all models',
      { models: 'al' },
      /^models: expected `all`, a list of models, or a mapping of models by name$/,
    ],
    [
      'an option like none of a role',
      { roles: { clerk: { models: 'all', xyz: 1 } } },
      /^roles\.clerk\.xyz: .* docs\/reference\/settings\.md lists all$/,
    ],
    ['a role that is nothing', { roles: { clerk: null } }, /^roles\.clerk\.models: expected `all`/],
    ['roles that are no mapping', { roles: ['clerk'] }, /^roles: expected a mapping$/],
    ['a prefix that is no text', { prefix: 5 }, /^prefix: expected a text$/],
    ['nobody who says who asks', { principal: undefined }, /^principal: expected a function$/],
    [
      'each mistake, in a line of its own',
      { limits: { page: 5 }, roles: { clerk: { models: 'all', replica: 'allowed' } } },
      /^roles\.clerk\.replica: .*\nlimits\.page: /,
    ],
    ['no database', { database: undefined }, /database: none is given/],
    ['models that name none', { models: {} }, /^models: none are given/],
    [
      'a route that is none',
      { routes: ['queries'] },
      /^routes\.0: expected one of `query`, `models`, /,
    ],
  ])('%s', async (_name, options, message) => {
    const mistaken = { models: ['orders'], ...options } as Partial<DynamicQueryOptions>;
    await expect(startApp(mistaken)).rejects.toThrow(message);
  });

  it('a second instance by the same name on requests', async () => {
    const app = await startApp();
    const second = { prefix: '/more', engine, principal };
    await expect(app.register(dynamicQuery, second)).rejects.toThrow(/decorator: .* is taken/);
  });
});
