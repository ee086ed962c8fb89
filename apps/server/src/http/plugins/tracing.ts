import { askOf, onReplyEnd } from '@proj/fastify/host';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

import type { RequestTrace, RequestTracing } from '../../traces/request-tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: not traced; undefined: tracing is off. */
    trace?: RequestTrace | null;
  }
}

interface TracingOptions {
  readonly tracing: RequestTracing;
}

/** Not for probes. The async context begins with the handler, because reading the body loses it. */
export const tracingPlugin = fp<TracingOptions>(
  (app, { tracing }, done) => {
    app.decorateRequest('trace', null);
    app.addHook('onRequest', (request, reply, next) => {
      if (request.routeOptions.config.isProbe !== true) begin(tracing, request, reply);
      next();
    });
    app.addHook('preHandler', (request, _reply, next) => {
      if (request.trace) request.trace.run(next);
      else next();
    });
    done();
  },
  { name: 'tracing' },
);

function begin(tracing: RequestTracing, request: FastifyRequest, reply: FastifyReply): void {
  const { id, method, url, protocol: scheme, headers, routeOptions } = request;
  const [path = ''] = url.split('?');
  const trace = tracing.start({ id, method, path, scheme, headers, route: routeOptions.url });
  request.trace = trace;
  onReplyEnd(reply.raw, () => {
    const status = reply.raw.writableEnded ? reply.statusCode : undefined;
    const { problem, read } = askOf(request, reply);
    trace.end({ status, problem, read });
  });
}
