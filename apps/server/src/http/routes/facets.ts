import { API_PATHS } from '@proj/contract';
import type { Engine, FacetsAnswer } from '@proj/engine';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { answerHeaders, replicaCall } from '../reply/answer-headers.ts';
import { principalOf } from '../plugins/access.ts';
import { readRoute, type ReadResult, type ReplyLimits } from '../read-route.ts';

interface FacetsRouteParts extends ReplyLimits {
  readonly engine: Pick<Engine, 'facets' | 'replicas'>;
}

/** `/api/v1/dynamic/facets`: what the attributes of a list hold (docs/reference/contract.md). */
export function facetsRoute(app: FastifyInstance, { engine, ...limits }: FacetsRouteParts): void {
  readRoute(app, {
    path: API_PATHS.facets,
    ...limits,
    read: async (request, signal) => {
      const { grant, id: caller } = principalOf(request);
      const replicas = replicaCall(request, engine);
      return resultOf(
        await engine.facets(request.body, grant, { signal, caller, replicas }),
        request,
      );
    },
  });
}

/** Values and bins count as records. */
function resultOf(answer: FacetsAnswer, request: FastifyRequest): ReadResult {
  const { json, facts, tag } = answer;
  return {
    facts: { ...facts, page: null, size: null },
    tag,
    body: () => json,
    ...answerHeaders(answer, request),
  };
}
