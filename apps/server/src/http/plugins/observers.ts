import { type Ask, askOf, type Places } from '@proj/fastify/host';
import type { FastifyInstance } from 'fastify';

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

export function observeRequests(app: FastifyInstance, observe: Observer, places: Places): void {
  app.addHook('onRequest', (request, reply, next) => {
    const { url, config } = request.routeOptions;
    const ask = askOf(request, reply);
    // `*` is that of preflight requests.
    const route = url === undefined || url === '*' ? places.at(ask.path)?.path : url;
    observe(ask, { route, reads: config.reads, isProbe: config.isProbe });
    next();
  });
}
