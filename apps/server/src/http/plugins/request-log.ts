import fp from 'fastify-plugin';

/** Gives every reply its request id and plain security headers, and logs one line for it. Neither bodies nor headers are logged. */
export const requestLogPlugin = fp(
  (app, _options, done) => {
    app.addHook('onRequest', (request, reply, next) => {
      void reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
      next();
    });
    app.addHook('onResponse', (request, reply, next) => {
      const { method, routeOptions } = request;
      request.log.info(
        { method, route: routeOptions.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
        'answered',
      );
      next();
    });
    done();
  },
  { name: 'request-log' },
);
