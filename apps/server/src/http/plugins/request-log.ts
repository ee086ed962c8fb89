import { type ProblemCode, PROBLEMS } from '@proj/contract';
import { askOf, onReplyEnd } from '@proj/fastify/host';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/** Never sent; by convention, the connection closed before the reply was sent. */
const CLIENT_DISCONNECTED = 499;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Balancers poll the route: it is logged only on failure. */
    isProbe?: true;
  }
}

/** Adds request id and plain security headers, and logs one line without bodies or headers. */
export const requestLogPlugin = fp(
  (app, _options, done) => {
    app.addHook('onRequest', (request, reply, next) => {
      void reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
      onReplyEnd(reply.raw, () => {
        if (!reply.raw.writableEnded) log(request, reply);
      });
      next();
    });
    app.addHook('onResponse', (request, reply, next) => {
      log(request, reply);
      next();
    });
    done();
  },
  { name: 'request-log' },
);

/** The status, or why the last byte was never sent. */
export function endingStatus(request: FastifyRequest, reply: FastifyReply): number {
  if (reply.raw.writableEnded) return reply.statusCode;
  const { cutBy } = askOf(request, reply);
  return cutBy === undefined ? CLIENT_DISCONNECTED : PROBLEMS[cutBy].status;
}

function log(request: FastifyRequest, reply: FastifyReply): void {
  const { method, routeOptions, log: logger, trace } = request;
  const { url: route, config } = routeOptions;
  const status = endingStatus(request, reply);
  const ms = Math.round(reply.elapsedTime);
  const level = config.isProbe === true && status < 400 ? 'debug' : 'info';
  logger[level](
    { method, route, status, ms, ...(trace && { trace_id: trace.traceId }) },
    endingOf(status, askOf(request, reply).cutBy),
  );
}

function endingOf(status: number, cutBy: ProblemCode | undefined): string {
  if (cutBy !== undefined) return 'cut';
  return status === CLIENT_DISCONNECTED ? 'client disconnected' : 'answered';
}
