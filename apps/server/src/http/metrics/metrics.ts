import { askOf, onReplyEnd } from '@proj/fastify/host';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

import type { ServiceMetrics } from './service-metrics.ts';
import { endingStatus } from '../plugins/request-log.ts';

interface MetricsOptions {
  readonly metrics: ServiceMetrics;
}

/** Counts every request until its reply is out or its client has disconnected. */
export const metricsPlugin = fp<MetricsOptions>(
  (app, { metrics }, done) => {
    app.addHook('onRequest', (request, reply, next) => {
      metrics.requestStarted();
      onReplyEnd(reply.raw, () => count(metrics, request, reply));
      next();
    });
    done();
  },
  { name: 'metrics' },
);

function count(metrics: ServiceMetrics, request: FastifyRequest, reply: FastifyReply): void {
  const { read, problem, cutBy } = askOf(request, reply);
  metrics.requestEnded({
    route: request.routeOptions.url,
    status: endingStatus(request, reply),
    milliseconds: reply.elapsedTime,
    rows: read?.rows ?? 0,
    problem: problem ?? cutBy,
  });
}
