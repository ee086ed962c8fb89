import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/**
 * What other servers log when the connection closes before the reply is sent; no caller ever
 * receives it.
 */
export const CLIENT_DISCONNECTED = 499;

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
      reply.raw.once('close', () => {
        if (!reply.raw.writableEnded) log(request, reply, CLIENT_DISCONNECTED);
      });
      next();
    });
    app.addHook('onResponse', (request, reply, next) => {
      log(request, reply, reply.statusCode);
      next();
    });
    done();
  },
  { name: 'request-log' },
);

function log(
  { method, routeOptions: { url: route, config }, log: logger, trace }: FastifyRequest,
  reply: FastifyReply,
  status: number,
): void {
  const ms = Math.round(reply.elapsedTime);
  const level = config.isProbe === true && status < 400 ? 'debug' : 'info';
  logger[level](
    { method, route, status, ms, ...(trace && { trace_id: trace.traceId }) },
    status === CLIENT_DISCONNECTED ? 'client disconnected' : 'answered',
  );
}
