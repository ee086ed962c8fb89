import { type AnsweringEngine, QueryFailedError } from '@proj/engine';
import { HttpProblem } from '@proj/fastify/host';
import type { FastifyInstance } from 'fastify';

import type { DatabasesHealth } from '../../served/health.ts';
import type { Lifecycle } from '../../process/lifecycle.ts';

/** If busy processes were not ready, balancers would overload the others one by one. */
function unlessBusy(error: unknown): void {
  if (!(error instanceof QueryFailedError && error.code === 'overloaded')) throw error;
}

interface HealthParts {
  readonly engine: Pick<AnsweringEngine, 'ping'>;
  readonly lifecycle: Lifecycle;
  readonly health: DatabasesHealth | undefined;
}

/** `/readyz`: a database answers. A dead one is no reason to restart the process: `/livez`. */
export function healthRoutes(
  app: FastifyInstance,
  { engine, lifecycle, health }: HealthParts,
): void {
  const options = { config: { access: 'public', isProbe: true } } as const;

  app.get('/livez', options, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'live' }),
  );

  app.get('/readyz', options, async (_request, reply) => {
    if (lifecycle.isDraining) throw new HttpProblem('shutting_down', 'This process is stopping.');
    const databases = await demandAnswers({ engine, health });
    return reply.header('cache-control', 'no-store').send({ status: 'ready', ...databases });
  });
}

/** @throws {QueryFailedError} when no database answers */
async function demandAnswers({
  engine,
  health,
}: Omit<HealthParts, 'lifecycle'>): Promise<{ databases?: Record<string, string> }> {
  if (health === undefined) {
    await engine.ping().catch(unlessBusy);
    return {};
  }
  const states = await health.look();
  if ([...states.values()].includes('answers')) return { databases: Object.fromEntries(states) };
  throw new QueryFailedError('database_unavailable', 'No database of the service answers.');
}
