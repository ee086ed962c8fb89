import { guardServer } from '@proj/fastify';
import { requestId } from '@proj/fastify/host';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

import { allowedMethodsPlugin } from '../plugins/allowed-methods.ts';
import { answerFrameworkError, problemPlugin } from '../plugins/problem.ts';
import { auditPlugin } from '../plugins/audit.ts';

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
  await app.register(auditPlugin, { log: undefined, onFailure: undefined });
  await app.register(problemPlugin);
  await app.register(allowedMethodsPlugin, {
    routes: async (scope) => {
      scope.get('/metrics', { config: { access: 'public' } }, async (_request, reply) =>
        reply
          .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
          .type(registry.contentType)
          .send(await registry.metrics()),
      );
    },
  });
  return app;
}
