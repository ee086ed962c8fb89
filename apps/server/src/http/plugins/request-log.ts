import { type ProblemCode, PROBLEMS } from '@proj/contract';
import { askOf, onReplyEnd } from '@proj/fastify/host';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/**
 * What other servers log when the connection closes before the reply is sent; no caller ever
 * receives it.
 */
const CLIENT_DISCONNECTED = 499;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether balancers ask for the route all the time: it is logged where it fails only. */
    isProbe?: true;
  }
}

/**
 * Gives every reply its request id and plain security headers, and logs one line for it. Neither
 * bodies nor headers are logged.
 */
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

/**
 * How a reply ended: by its status, or, where its last byte was never sent, by what was the reason.
 */
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
