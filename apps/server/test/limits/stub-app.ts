import { setImmediate } from 'node:timers/promises';

import { EVERYTHING } from '@proj/engine';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type LightMyRequestResponse,
} from 'fastify';
import { onTestFinished } from 'vitest';

import { accessPlugin } from '../../src/http/plugins/access.ts';
import { auditPlugin } from '../../src/http/plugins/audit.ts';
import { addressLimitsPlugin, tokenLimitsPlugin } from '../../src/http/plugins/limits.ts';
import { problemPlugin } from '../../src/http/plugins/problem.ts';
import { requestLogPlugin } from '../../src/http/plugins/request-log.ts';
import { acquireQuerySlot } from '../../src/http/query-slot.ts';
import { openLimits, type Limits } from '../../src/limits/limits.ts';
import { rateLimitSettings } from '../../src/settings/groups/rate-limits.ts';

/** An app with limits, whose tokens are `good-<name>`. */
export interface StubApp {
  readonly app: FastifyInstance;
  readonly clock: { now: number };
  /** How many tokens were looked at. */
  readonly lookUps: () => number;
  /** How many queries run. */
  readonly running: () => number;
  /** Lets the queries end that wait. */
  readonly endQueries: () => void;
  readonly ask: (token: string, options?: Asked) => Promise<LightMyRequestResponse>;
}

interface Asked {
  readonly url?: string;
  readonly from?: string;
}

interface StubOptions {
  readonly settings: object;
}

/**
 * Routes: `/query/<rows>` reads that many rows, `/wait` runs until it is let go or left, `/names`
 * is no query, `/live` is public.
 */
export async function stubApp({ settings }: StubOptions): Promise<StubApp> {
  const clock = { now: 0 };
  const app = Fastify();
  const limits = await openLimits(rateLimitSettings.parse(settings), {
    log: app.log,
    now: () => clock.now,
  });
  let lookUps = 0;
  const authenticate = async (token: string) => {
    lookUps++;
    await setImmediate();
    return token.startsWith('good-')
      ? { name: token.slice(5), id: token, role: 'reader', grant: EVERYTHING }
      : undefined;
  };
  await app.register(requestLogPlugin);
  await app.register(auditPlugin, { log: undefined, onFailure: undefined });
  await app.register(problemPlugin);
  await app.register(addressLimitsPlugin, { limits });
  await app.register(accessPlugin, { authenticate });
  await app.register(tokenLimitsPlugin, { limits });
  const { running, endQueries } = addRoutes(app, limits);
  onTestFinished(async () => {
    endQueries();
    await app.close();
    limits.close();
  });
  const ask: StubApp['ask'] = (token, { url = '/names', from = '192.0.2.1' } = {}) =>
    app.inject({ url, remoteAddress: from, headers: { authorization: `Bearer ${token}` } });
  return { app, clock, lookUps: () => lookUps, running, endQueries, ask };
}

function addRoutes(
  app: FastifyInstance,
  limits: Pick<Limits, 'acquireSlot'>,
): Pick<StubApp, 'running' | 'endQueries'> {
  const query = { access: 'token', runsQuery: true } as const;
  const inSlot =
    (answer: (request: FastifyRequest, reply: FastifyReply) => Promise<object>) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const endQuery = await acquireQuerySlot(limits, request, reply);
      try {
        return await answer(request, reply);
      } finally {
        endQuery();
      }
    };
  const waiting = new Set<() => void>();
  app.get(
    '/query/:rows',
    { config: query },
    inSlot(async (request) => {
      const { rows } = request.params as { rows: string };
      request.queried = {
        model: 'stub',
        models: [],
        attributes: [],
        page: 1,
        size: 1,
        rows: Number(rows),
      };
      return { result: [] };
    }),
  );
  app.get(
    '/wait',
    { config: query },
    inSlot(async (_request, reply) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      reply.raw.once('close', resolve);
      await promise;
      waiting.delete(resolve);
      return { result: [] };
    }),
  );
  app.get(
    '/fail',
    { config: query },
    inSlot(async () => {
      throw new Error('The query failed.');
    }),
  );
  app.get('/names', { config: { access: 'token' } }, (_request, reply) =>
    reply.send({ names: [] }),
  );
  app.get('/live', { config: { access: 'public' } }, (_request, reply) =>
    reply.send({ live: true }),
  );
  return { running: () => waiting.size, endQueries: () => waiting.forEach((end) => end()) };
}
