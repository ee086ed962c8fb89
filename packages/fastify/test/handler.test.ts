import { expect, it, onTestFinished, vi } from 'vitest';

import { createHandler, type HandlerOptions } from '../src/handler.ts';
import { openEngineOf, ordersPage, QUERY, shop } from './shop.ts';

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

// conformance.test.ts tries the rest of what a handler answers.
it('a handler refuses a body that is too large', async () => {
  const ask = await startHandler();
  const reply = await ask(QUERY, post(' '.repeat(70_000)));
  expect([reply.status, await reply.json()]).toMatchObject([413, { code: 'body_too_large' }]);
});

it('a handler answers HEAD without a body', async () => {
  const ask = await startHandler();
  const reply = await ask('/api/v1/dynamic/models/orders', { method: 'HEAD' });
  expect([reply.status, await reply.text()]).toEqual([200, '']);
});

it('a handler watches a list, and ends with the caller', async () => {
  const ask = await startHandler();
  const list = { query_model: 'orders', query_attributes: ['id'] };
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
  const engine = await openEngineOf(shop());
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
