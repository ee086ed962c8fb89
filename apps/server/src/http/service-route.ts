import type { FastifyAsk, Route } from '@proj/fastify/host';

export interface ServiceRoute extends Route<FastifyAsk> {
  /** Balancers poll the route: it is logged only on failure. */
  readonly isProbe?: true;
}
