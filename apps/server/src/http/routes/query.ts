import { API_PATHS } from '@proj/contract';
import type { Answer, Engine } from '@proj/engine';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { answerHeaders, replicaCall } from '../reply/answer-headers.ts';
import { principalOf } from '../plugins/access.ts';
import { readRoute, type ReadResult, type ReplyLimits } from '../read-route.ts';

interface QueryRouteParts extends ReplyLimits {
  readonly engine: Pick<Engine, 'query' | 'replicas'>;
}

/** `/api/v1/dynamic/query`: a page with its exact total (docs/reference/contract.md). */
export function queryRoute(app: FastifyInstance, { engine, ...limits }: QueryRouteParts): void {
  readRoute(app, {
    path: API_PATHS.query,
    ...limits,
    read: async (request, signal) => {
      const { grant, id: caller } = principalOf(request);
      const replicas = replicaCall(request, engine);
      const answer = await engine.query(request.body, grant, { signal, caller, replicas });
      return resultOf(answer, request);
    },
  });
}

function resultOf(answer: Answer, request: FastifyRequest): ReadResult {
  const { result, page, facts, tag } = answer;
  return {
    facts,
    tag,
    body: () => `{"result":${result},"page":${JSON.stringify(page)}}`,
    ...answerHeaders(answer, request),
  };
}
