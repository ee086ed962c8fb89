import { type Engine, QueryFailedError } from '@proj/engine';
import type { FastifyInstance } from 'fastify';

import type { Lifecycle } from '../../process/lifecycle.ts';
import { HttpProblem } from '../problems.ts';

/**
 * Ignores `overloaded`: if a busy process were not ready, the balancer would move its load to the
 * others until none was left.
 */
function unlessBusy(error: unknown): void {
  if (!(error instanceof QueryFailedError && error.code === 'overloaded')) throw error;
}

/**
 * `/livez`: the process answers. `/readyz`: it can answer queries. A dead database is no reason to
 * restart the process.
 */
export function healthRoutes(app: FastifyInstance, engine: Engine, lifecycle: Lifecycle): void {
  const options = { config: { access: 'public', isProbe: true } } as const;

  app.get('/livez', options, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  );

  app.get('/readyz', options, async (_request, reply) => {
    if (lifecycle.isDraining) throw new HttpProblem('shutting_down', 'This process is stopping.');
    await engine.ping().catch(unlessBusy);
    return reply.header('cache-control', 'no-store').send({ status: 'ready' });
  });
}
