import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';

import { type INestApplication, Logger } from '@nestjs/common';
import { expect, it, onTestFinished, vi } from 'vitest';

import { ordersPage, QUERY, shop } from './shop.ts';

const PAGE = readFileSync(
  new URL('../../../docs/guides/mount-in-your-app.md', import.meta.url),
  'utf8',
);

type Ask = (path: string, init: RequestInit) => Response | Promise<Response>;

/** How each example is asked, by its file. */
const EXAMPLES: Readonly<Record<string, () => Promise<Ask>>> = {
  hono: async () => {
    const { default: app } = await import('../examples/hono.ts');
    return (path, init) => app.request(path, init);
  },
  bun: async () => {
    const { default: app } = await import('../examples/bun.ts');
    return (path, init) => app.fetch(new Request(`http://app.example${path}`, init));
  },
  'next-route': async () => {
    const { POST } = await import('../examples/next-route.ts');
    return (path, init) => POST(new Request(`http://app.example${path}`, init));
  },
  express: async () => {
    const { default: app } = await import('../examples/express.ts');
    return listening(createServer(app).listen(0));
  },
  'nest-fastify': async () => {
    const { default: app } = await import('../examples/nest-fastify.ts');
    return listeningNest(app);
  },
  'nest-express': async () => {
    const { default: app } = await import('../examples/nest-express.ts');
    return listeningNest(app);
  },
};

async function listening(server: Server): Promise<Ask> {
  if (!server.listening) await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
}

async function listeningNest(app: INestApplication<Server>): Promise<Ask> {
  await app.listen(0, '127.0.0.1');
  onTestFinished(() => app.close());
  return listening(app.getHttpServer());
}

it.each(Object.keys(EXAMPLES))(
  'the page shows the example of %s word for word, or links it, which answers who is known and nobody else',
  async (name) => {
    const example = readFileSync(new URL(`../examples/${name}.ts`, import.meta.url), 'utf8');
    const link = `(../../packages/fastify/examples/${name}.ts)`;
    expect(PAGE).toContain(PAGE.includes(link) ? link : `\`\`\`ts\n${example}\`\`\``);
    // Each opens a database of its own, also where one imports another.
    vi.resetModules();
    Logger.overrideLogger(false);
    vi.stubEnv('DATABASE_URL', shop().database);
    onTestFinished(() => void vi.unstubAllEnvs());
    const ask = await EXAMPLES[name]?.();
    const asked = async (user?: string) => {
      const headers = { 'content-type': 'application/json', ...(user && { user }) };
      const body = JSON.stringify(ordersPage());
      const reply = await ask?.(`/data${QUERY}`, { method: 'POST', headers, body });
      return [reply?.status, await reply?.json()];
    };
    expect(await asked('ann')).toMatchObject([200, { page: { total: '5' } }]);
    expect(await asked()).toMatchObject([401, { code: 'unauthenticated' }]);
  },
);
