import { type RuleResult, startConformance } from '@proj/conformance';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';

import { createHandler } from '../src/handler.ts';
import { dynamicQuery } from '../src/plugin.ts';
import { guardServer } from '../src/server/guard-server.ts';
import { shop } from './shop.ts';

const TOKEN = 'a-token-of-the-test';

function callerOf(authorization: string | null | undefined): { readonly id: string } | null {
  return authorization === `Bearer ${TOKEN}` ? { id: 'ann' } : null;
}

/** An app with the plugin, whose server is guarded. */
async function startPlugin(): Promise<string> {
  const app = Fastify();
  onTestFinished(() => app.close());
  await app.register(dynamicQuery, {
    prefix: '/data',
    ...shop(),
    models: 'all',
    challenge: 'Bearer',
    principal: ({ headers }) => callerOf(headers.authorization),
  });
  guardServer(app.server);
  return `${await app.listen()}/data`;
}

/** An app that passes web requests on to the handler. */
async function startHandler(): Promise<string> {
  const handle = await createHandler({
    prefix: '/data',
    ...shop(),
    models: 'all',
    challenge: 'Bearer',
    principal: ({ headers }) => callerOf(headers.get('authorization')),
  });
  const app = Fastify();
  onTestFinished(async () => {
    await handle.close();
    await app.close();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.all('/data/*', async ({ method, url, headers, body }, reply) => {
    const init = { method, headers: headers as Record<string, string>, body: body as Buffer };
    return reply.send(await handle(new Request(`http://localhost${url}`, init)));
  });
  return `${await app.listen()}/data`;
}

it.each([
  ['the plugin', startPlugin, ['health', 'request-id', 'problem-page']],
  // Fastify, which passes them on here, refuses a QUERY without a type itself.
  [
    'the handler of web requests',
    startHandler,
    ['health', 'query-method-refusals', 'problem-page'],
  ],
])('%s keeps every rule of the contract that is not of the app', async (_name, start, ofTheApp) => {
  const found: RuleResult[] = [];
  const { results } = await startConformance({ url: await start(), token: TOKEN });
  for await (const result of results) found.push(result);
  const failing = found.filter(({ outcome }) => outcome === 'fails');
  expect(failing.map(({ id }) => id)).toEqual(ofTheApp);
  expect(found.filter(({ outcome }) => outcome === 'holds').length).toBeGreaterThan(80);
});
