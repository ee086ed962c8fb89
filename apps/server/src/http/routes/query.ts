import { API_PATHS } from '@proj/contract';
import type { Answer, AnswerState, Engine, ReplicaCall } from '@proj/engine';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { Limits } from '../../limits/limits.ts';
import { deprecationHeaders } from '../deprecation.ts';
import { principalOf } from '../plugins/access.ts';
import { readRoute, type ReadResult } from '../read-route.ts';

interface QueryRouteParts {
  readonly engine: Pick<Engine, 'query' | 'replicas'>;
  readonly limits: Pick<Limits, 'acquireSlot'>;
}

/** `/api/v1/dynamic/query`: one page of a model, with its exact total (docs/contract.md). */
export function queryRoute(app: FastifyInstance, { engine, limits }: QueryRouteParts): void {
  readRoute(app, {
    path: API_PATHS.query,
    limits,
    read: async (request, signal) => {
      const { grant, id: caller } = principalOf(request);
      const replicas = replicaCall(request, engine);
      const answer = await engine.query(request.body, grant, { signal, caller, replicas });
      return resultOf(answer, request);
    },
  });
}

/** Undefined where the primary is to answer: without replicas, or for a role that has none. */
function replicaCall(
  request: FastifyRequest,
  { replicas }: Pick<Engine, 'replicas'>,
): ReplicaCall | undefined {
  if (replicas === undefined || principalOf(request).usesReplicas !== true) return undefined;
  const atLeast = request.headers['data-at-least'];
  return { atLeast: atLeast === undefined ? undefined : String(atLeast) };
}

/** The data version goes with a body only: what a caller holds has one, which is as true. */
function resultOf(answer: Answer, request: FastifyRequest): ReadResult {
  const { hidesDataVersion = false } = principalOf(request);
  const { version, deprecations, result, page, state, facts, tag } = answer;
  return {
    facts,
    tag,
    body: () => `{"result":${result},"page":${JSON.stringify(page)}}`,
    headers: {
      ...(state !== undefined && stateHeaders(state)),
      ...deprecationHeaders(deprecations),
    },
    bodyHeaders: {
      'server-timing': serverTiming(request.accessMs, answer),
      ...(version !== undefined && !hidesDataVersion && { 'data-version': version }),
    },
  };
}

/** The age is rounded up, so that the state is never older than it says. */
function stateHeaders({ ageMs, position }: AnswerState): Record<string, string> {
  return { 'data-age': String(Math.ceil(ageMs) / 1000), 'data-position': position };
}

function serverTiming(auth: number, { milliseconds: { plan, rows, count } }: Answer): string {
  return Object.entries({ auth, plan, rows, count })
    .map(([name, duration]) => `${name};dur=${duration.toFixed(3)}`)
    .join(', ');
}
