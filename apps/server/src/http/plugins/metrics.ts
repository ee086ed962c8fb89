import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import { CALLER_LEFT } from './request-log.ts';

interface MetricsOptions {
  readonly metrics: ServiceMetrics;
}

/** Counts every request from its first hook until its reply is out or its caller has left. */
export const metricsPlugin = fp<MetricsOptions>(
  (app, { metrics }, done) => {
    app.addHook('onRequest', (request, reply, next) => {
      metrics.requestStarted();
      // Unlike onResponse, this comes for callers who leave, too.
      reply.raw.once('close', () => count(metrics, request, reply));
      next();
    });
    done();
  },
  { name: 'metrics' },
);

function count(
  metrics: ServiceMetrics,
  { routeOptions, queried, problemCode }: FastifyRequest,
  reply: FastifyReply,
): void {
  metrics.requestEnded({
    route: routeOptions.url,
    status: reply.raw.writableEnded ? reply.statusCode : CALLER_LEFT,
    milliseconds: reply.elapsedTime,
    rows: queried?.rows ?? 0,
    problem: problemCode,
  });
}
