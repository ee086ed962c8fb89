import { guardServer } from '@proj/fastify';
import { HttpProblem, Pipeline, refusals, requestId, type Route, serve } from '@proj/fastify/host';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

import { answerFrameworkError, problemPlugin } from '../plugins/problem.ts';

/** A separate app for `GET /metrics`, so that callers cannot reach it. Does not listen. */
export async function buildMetricsApp(
  registry: Pick<Registry, 'contentType'> & { metrics(): Promise<string> },
): Promise<FastifyInstance> {
  const app = Fastify({
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    requestIdHeader: false,
    frameworkErrors: answerFrameworkError,
  });
  guardServer(app.server);
  await app.register(problemPlugin);
  const route: Route = {
    methods: ['GET'],
    path: 'metrics',
    access: 'public',
    answer: async () => {
      const headers = { 'cache-control': 'no-store', 'content-type': registry.contentType };
      return { status: 200, headers, body: await registry.metrics() };
    },
  };
  const pipeline = new Pipeline({ engine: { catalogue: new Map() }, identify: nobody });
  for (const one of [route, ...refusals([route], app.supportedMethods)])
    serve(app, one, { pipeline, opensEarly: true });
  return app;
}

function nobody(): never {
  throw new HttpProblem('unauthenticated', 'Nobody is asked who they are.');
}
