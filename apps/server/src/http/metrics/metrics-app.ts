import { guardServer } from '@proj/fastify';
import { HttpProblem, Pipeline, Places, requestId, type Route, serve } from '@proj/fastify/host';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

import { answerProblems, refuseNowhere, sendProblem } from '../plugins/problem.ts';

/** A separate app for `GET /metrics`, so that callers cannot reach it. Does not listen. */
export function buildMetricsApp(
  registry: Pick<Registry, 'contentType'> & { metrics(): Promise<string> },
): FastifyInstance {
  const app = Fastify({
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    requestIdHeader: false,
    frameworkErrors: (...parts) => void sendProblem(...parts),
  });
  guardServer(app.server);
  const route: Route = {
    methods: ['GET'],
    path: 'metrics',
    access: 'public',
    answer: async () => {
      const headers = { 'cache-control': 'no-store', 'content-type': registry.contentType };
      return { status: 200, headers, body: await registry.metrics() };
    },
  };
  answerProblems(app);
  refuseNowhere(app, new Places([route]));
  const pipeline = new Pipeline({ engine: { catalogue: new Map() }, identify: nobody });
  serve(app, route, { pipeline, opensEarly: true });
  return app;
}

function nobody(): never {
  throw new HttpProblem('unauthenticated', 'Nobody is asked who they are.');
}
