import { API_PATHS } from '@proj/contract';
import type { Answer, Engine } from '@proj/engine';

import { type Ask, principalOf } from '../endpoint/ask.ts';
import type { Bounds } from '../endpoint/bounds.ts';
import type { Route } from '../endpoint/route.ts';
import { readRoute, type ReadResult } from './read-route.ts';
import { answerHeaders, replicaCall } from '../reply/answer-headers.ts';

interface QueryRouteParts {
  readonly engine: Pick<Engine, 'query' | 'replicas'>;
  readonly bounds: Bounds;
}

/** `/api/v1/dynamic/query` (docs/reference/contract.md). */
export function queryRoute({ engine, bounds }: QueryRouteParts): Route {
  return readRoute({
    path: API_PATHS.query,
    bounds,
    read: async (ask) => {
      const { grant, id: caller } = principalOf(ask);
      const call = { signal: ask.signal, caller, replicas: replicaCall(ask, engine) };
      return resultOf(await engine.query(ask.body, grant, call), ask);
    },
  });
}

function resultOf(answer: Answer, ask: Ask): ReadResult {
  const { result, page, facts, tag } = answer;
  return {
    facts,
    tag,
    body: () => `{"result":${result},"page":${JSON.stringify(page)}}`,
    ...answerHeaders(answer, ask),
  };
}
