import { once } from 'node:events';
import { type ClientHttp2Stream, connect } from 'node:http2';
import type { AddressInfo } from 'node:net';

import type { Engine } from '@proj/engine';
import Fastify, { type FastifyRequest } from 'fastify';
import { expect, it, onTestFinished, vi } from 'vitest';

import { dynamicQuery, type DynamicQueryOptions } from '../src/plugin.ts';
import { openEngineOf, QUERY, shop } from './shop.ts';

const LIST = { query_model: 'orders', query_attributes: ['id'] };

/** An app of HTTP/2, and how it is asked. */
async function startApp(
  engine: Engine,
  principal: DynamicQueryOptions['principal'] = () => ({ id: 'ann' }),
) {
  const app = Fastify({ http2: true });
  await app.register(dynamicQuery, { engine, principal });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const session = connect(`http://127.0.0.1:${port}`);
  onTestFinished(async () => {
    session.destroy();
    await app.close();
  });
  return (path: string, body: object): ClientHttp2Stream => {
    const head = { ':path': path, ':method': 'POST', 'content-type': 'application/json' };
    return session.request(head).end(JSON.stringify(body));
  };
}

async function openShop() {
  const engine = await openEngineOf(shop());
  onTestFinished(() => engine.close());
  return engine;
}

it('a watch over HTTP/2 stops when its caller leaves, and no reply warns of headers of HTTP/1', async () => {
  const engine = await openShop();
  const watches = vi.spyOn(engine, 'watch');
  const warnings: Error[] = [];
  const warn = (warning: Error) => void warnings.push(warning);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  const ask = await startApp(engine);
  const watch = ask('/api/v1/dynamic/watch', LIST);
  await once(watch, 'data');
  const signal = watches.mock.calls[0]?.[2].signal;
  expect(signal?.aborted).toBe(false);
  watch.close();
  await vi.waitUntil(() => signal?.aborted === true, { timeout: 20_000 });
  const page = ask(QUERY, { ...LIST, page: { page: 1, size: 1 } });
  const [text] = (await once(page.setEncoding('utf8'), 'data')) as [string];
  expect(JSON.parse(text)).toMatchObject({ page: { total: '5' } });
  expect(warnings).toEqual([]);
});

it('a watch over HTTP/2 whose caller leaves before the app knows who asks has left', async () => {
  const engine = await openShop();
  const watches = vi.spyOn(engine, 'watch');
  const [asked, known] = [Promise.withResolvers<FastifyRequest>(), Promise.withResolvers<void>()];
  const ask = await startApp(engine, async (request) => {
    asked.resolve(request);
    await known.promise;
    return { id: 'ann' };
  });
  const watch = ask('/api/v1/dynamic/watch', LIST);
  const { raw } = await asked.promise;
  watch.close();
  await once(raw, 'close');
  known.resolve();
  await vi.waitUntil(() => watches.mock.calls.length === 1);
  expect(watches.mock.calls[0]?.[2].signal.aborted).toBe(true);
});
