import type { Ask } from '@proj/fastify/host';
import fp from 'fastify-plugin';
import { askOf } from '@proj/fastify/host';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It reads records, which is audited. */
    reads?: true | undefined;
    /** Balancers poll the route: it is logged only on failure. */
    isProbe?: true | undefined;
  }
}

export interface Observed {
  /** Its pattern; undefined where nothing is. */
  readonly route: string | undefined;
  readonly reads?: true | undefined;
  readonly isProbe?: true | undefined;
}

/** Sees every request as it arrives, and its end by `ask.onEnd`. */
export type Observer = (ask: Ask, observed: Observed) => void;

interface ObserversOptions {
  readonly observe: Observer;
}

export const observersPlugin = fp<ObserversOptions>(
  (app, { observe }, done) => {
    app.addHook('onRequest', (request, reply, next) => {
      const { url: route, config } = request.routeOptions;
      observe(askOf(request, reply), { route, reads: config.reads, isProbe: config.isProbe });
      next();
    });
    done();
  },
  { name: 'observers' },
);
