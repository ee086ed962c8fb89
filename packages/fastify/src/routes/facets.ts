import { API_PATHS } from '@proj/contract';
import type { Engine, FacetsAnswer } from '@proj/engine';

import { type Ask, principalOf } from '../endpoint/ask.ts';
import type { Bounds } from '../endpoint/bounds.ts';
import type { Route } from '../endpoint/route.ts';
import { readRoute, type ReadResult } from './read-route.ts';
import { answerHeaders, replicaCall } from '../reply/answer-headers.ts';

interface FacetsRouteParts {
  readonly engine: Pick<Engine, 'facets' | 'replicas'>;
  readonly bounds: Bounds;
}

/** `/api/v1/dynamic/facets` (docs/reference/contract.md). */
export function facetsRoute({ engine, bounds }: FacetsRouteParts): Route {
  return readRoute({
    path: API_PATHS.facets,
    bounds,
    read: async (ask) => {
      const { grant, id: caller } = principalOf(ask);
      const call = { signal: ask.signal, caller, replicas: replicaCall(ask, engine) };
      return resultOf(await engine.facets(ask.body, grant, call), ask);
    },
  });
}

/** Values and bins count as records. */
function resultOf(answer: FacetsAnswer, ask: Ask): ReadResult {
  const { json, facts, tag } = answer;
  return {
    facts: { ...facts, page: null, size: null },
    tag,
    body: () => json,
    ...answerHeaders(answer, ask),
  };
}
