import { type AnsweringEngine, QueryFailedError } from '@proj/engine';
import { type Answer, HttpProblem, JSON_TYPE } from '@proj/fastify/host';

import type { DatabasesHealth } from '../../served/health.ts';
import type { Lifecycle } from '../../process/lifecycle.ts';
import type { ServiceRoute } from '../service-route.ts';

/** If busy processes were not ready, balancers would overload the others one by one. */
function unlessBusy(error: unknown): void {
  if (!(error instanceof QueryFailedError && error.code === 'overloaded')) throw error;
}

interface HealthParts {
  readonly engine: Pick<AnsweringEngine, 'ping'>;
  readonly lifecycle: Lifecycle;
  readonly health?: DatabasesHealth | undefined;
}

/** `/readyz`: a database answers. A dead one is no reason to restart the process: `/livez`. */
export function healthRoutes({ engine, lifecycle, health }: HealthParts): ServiceRoute[] {
  const route = { methods: ['GET'], access: 'public', isProbe: true } as const;
  return [
    { ...route, path: 'livez', answer: () => stateNow({ status: 'live' }) },
    {
      ...route,
      path: 'readyz',
      answer: async () => {
        if (lifecycle.isDraining)
          throw new HttpProblem('shutting_down', 'This process is stopping.');
        const databases = await demandAnswers({ engine, health });
        return stateNow({ status: 'ready', ...databases });
      },
    },
  ];
}

function stateNow(state: object): Answer {
  const headers = { 'cache-control': 'no-store', 'content-type': JSON_TYPE };
  return { status: 200, headers, body: JSON.stringify(state) };
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
