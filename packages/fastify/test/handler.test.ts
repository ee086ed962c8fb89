import { openEngine } from '@proj/engine';
import { expect, it, onTestFinished, vi } from 'vitest';

import { createHandler, type HandlerOptions } from '../src/handler.ts';
import { ordersPage, QUERY, shop } from './shop.ts';

async function startHandler(options: Partial<HandlerOptions> = {}) {
  const handle = await createHandler({
    prefix: '/data',
    ...shop(),
    models: ['orders'],
    principal: (request) => (request.headers.get('user') === 'ann' ? { id: 'ann' } : null),
    ...options,
  });
  onTestFinished(() => handle.close());
  return (path: string, init: Asked = {}) =>
    handle(
      new Request(`http://app.example/data${path}`, {
        ...init,
        headers: { user: 'ann', ...init.headers },
      }),
    );
}

interface Asked extends RequestInit {
  readonly headers?: Record<string, string>;
}

const JSON_BODY = { 'content-type': 'application/json' };

function post(body: unknown): Asked {
  return {
    method: 'POST',
    headers: JSON_BODY,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

function requestWith(body: string | ReadableStream): Request {
  const init = { method: 'POST', headers: JSON_BODY, body, duplex: 'half' } as const;
  return new Request(`http://app.example${QUERY}`, init);
}

it('a handler answers a page, and 304 to a caller who has it', async () => {
  const ask = await startHandler();
  const asked = { ...post(ordersPage()), method: 'QUERY' };
  const first = await ask(QUERY, asked);
  expect([first.status, await first.json()]).toMatchObject([200, { page: { total: '5' } }]);
  const etag = String(first.headers.get('etag'));
  const second = await ask(QUERY, { ...asked, headers: { ...JSON_BODY, 'if-none-match': etag } });
  expect([second.status, await second.text()]).toEqual([304, '']);
});

it.each([
  ['a path that is none', '/nothing', {}, '404 not_found'],
  ['a method that is none of the path', QUERY, {}, '405 method_not_allowed'],
  [
    'nobody',
    QUERY,
    { ...post(ordersPage()), headers: { ...JSON_BODY, user: '' } },
    '401 unauthenticated',
  ],
  ['a body of another type', QUERY, { method: 'POST', body: 'a' }, '415 unsupported_media_type'],
  ['a body that is no JSON', QUERY, post('{'), '400 malformed_json'],
  ['a body that is too large', QUERY, post(' '.repeat(70_000)), '413 body_too_large'],
  ['an unknown model', '/api/v1/dynamic/models/none', {}, '404 not_found'],
])('a handler answers as the service does: %s', async (_name, path, init, expected) => {
  const ask = await startHandler();
  const reply = await ask(path, init);
  const body = (await reply.json()) as { readonly code?: string };
  expect(`${reply.status} ${body.code}`).toBe(expected);
});

it('a handler answers HEAD without a body, and the catalogue', async () => {
  const ask = await startHandler();
  const path = '/api/v1/dynamic/models/orders';
  expect((await ask(path, { method: 'HEAD' })).status).toBe(200);
  expect(await (await ask(path)).json()).toMatchObject({ name: 'orders' });
});

it('a handler sends a whole list, and ends it when the caller leaves', async () => {
  const ask = await startHandler();
  const list = { query_model: 'orders', query_attributes: ['id'] };
  const whole = await ask('/api/v1/dynamic/export', post(list));
  expect((await whole.text()).split('\n')).toHaveLength(6);
  const leaving = new AbortController();
  const watch = await ask('/api/v1/dynamic/watch', { ...post(list), signal: leaving.signal });
  const reader = watch.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
  leaving.abort();
});

it('a handler refuses a body that breaks off, and fails where the app has read it', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => logged.mockRestore());
  const handle = await createHandler({
    ...shop(),
    models: ['orders'],
    principal: () => ({ id: 'ann' }),
  });
  onTestFinished(() => handle.close());
  const broken = new ReadableStream({ pull: (stream) => stream.error(new Error('reset')) });
  const refused = await handle(requestWith(broken));
  expect([refused.status, logged.mock.calls.length]).toEqual([400, 0]);
  const read = requestWith('{}');
  await read.text();
  expect((await handle(read)).status).toBe(500);
});

it('a handler over an engine that is open leaves it to who opened it', async () => {
  const engine = await openEngine({
    ...shop(),
    expose: 'all',
    models: {},
    maxPageSize: 100,
    queryTimeoutMs: 10_000,
  });
  onTestFinished(() => engine.close());
  const handle = await createHandler({ engine, principal: () => ({ id: 'ann' }) });
  await handle.close();
  const reply = await handle(new Request(`http://app.example${QUERY}`, post(ordersPage())));
  expect(await reply.json()).toMatchObject({ page: { total: '5' } });
});

it('a handler logs to the console what only the operator can mend', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const cause = new Error('the sessions are gone');
  const ask = await startHandler({ principal: async () => Promise.reject(cause) });
  expect((await ask(QUERY, post(ordersPage()))).status).toBe(500);
  expect(log.mock.calls).toMatchObject([[{ err: { cause } }, 'the request failed']]);
});
