import { setImmediate } from 'node:timers/promises';

import { EVERYTHING } from '@proj/engine';
import { type Answer, type Ask, Pipeline, type Route, serve } from '@proj/fastify/host';
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';
import { onTestFinished } from 'vitest';

import { authorize } from '../../src/http/plugins/access.ts';
import { addressLimits, tokenLimits } from '../../src/http/plugins/limits.ts';
import { answerProblems } from '../../src/http/plugins/problem.ts';
import { boundsOf } from '../../src/http/query-slot.ts';
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

const NO_MODELS = { catalogue: new Map() };

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
  answerProblems(app);
  const pipeline = new Pipeline({
    engine: NO_MODELS,
    identify: (ask) => authorize(ask.header('authorization'), authenticate),
    stations: [addressLimits(limits), tokenLimits(limits)],
  });
  const { routes, running, endQueries } = routesOver(limits);
  for (const route of routes) serve(app, route, { pipeline, opensEarly: true });
  onTestFinished(async () => {
    endQueries();
    await app.close();
    limits.close();
  });
  const ask: StubApp['ask'] = (token, { url = '/names', from = '192.0.2.1' } = {}) =>
    app.inject({ url, remoteAddress: from, headers: { authorization: `Bearer ${token}` } });
  return { app, clock, lookUps: () => lookUps, running, endQueries, ask };
}

function routesOver(
  limits: Limits,
): Pick<StubApp, 'running' | 'endQueries'> & { readonly routes: Route[] } {
  const bounds = boundsOf(limits, undefined, NO_MODELS);
  const waiting = new Set<() => void>();
  const query = (path: string, answer: (ask: Ask) => Promise<void>): Route => ({
    methods: ['GET'],
    path,
    access: 'caller',
    reads: true,
    answer: async (ask) => {
      const endQuery = await bounds.takeSlot?.(ask);
      try {
        await answer(ask);
        return json({ result: [] });
      } finally {
        endQuery?.();
      }
    },
  });
  const routes: Route[] = [
    query('query/:rows', async (ask) => {
      const rows = Number(ask.parameter('rows'));
      ask.read = { model: 'stub', models: [], attributes: [], page: 1, size: 1, rows };
    }),
    query('wait', async (ask) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      ask.onEnd(resolve);
      await promise;
      waiting.delete(resolve);
    }),
    query('fail', async () => {
      throw new Error('The query failed.');
    }),
    { methods: ['GET'], path: 'names', access: 'caller', answer: () => json({ names: [] }) },
    { methods: ['GET'], path: 'live', access: 'public', answer: () => json({ live: true }) },
  ];
  const endQueries = (): void => waiting.forEach((end) => end());
  return { routes, running: () => waiting.size, endQueries };
}

function json(document: object): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(document),
  };
}
