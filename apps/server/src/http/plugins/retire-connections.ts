import fp from 'fastify-plugin';

import type { Lifecycle } from '../../process/lifecycle.ts';

interface RetireOptions {
  readonly lifecycle: Lifecycle;
}

/**
 * Closes each connection with the next reply on it once the server stops. A kept one would hold the
 * process until it idles out, and would break under the caller's next request when the server
 * closes.
 */
export const retireConnectionsPlugin = fp<RetireOptions>(
  (app, { lifecycle }, done) => {
    let closing = false;
    app.addHook('preClose', (closed) => {
      closing = true;
      closed();
    });
    // oxlint-disable-next-line max-params -- the signature is Fastify's
    app.addHook('onSend', (_request, reply, _payload, next) => {
      if (closing || lifecycle.isDraining) void reply.header('connection', 'close');
      next();
    });
    done();
  },
  { name: 'retire-connections' },
);
