import { API_PATHS } from '@proj/contract';
import type { Answer, AnswerState, Engine, ReplicaCall } from '@proj/engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Limits } from '../../limits/limits.ts';
import { acceptsJson } from '../accepts-json.ts';
import { deprecationHeaders } from '../deprecation.ts';
import { principalOf } from '../plugins/access.ts';
import { acquireQuerySlot } from '../query-slot.ts';

interface QueryRouteParts {
  readonly engine: Pick<Engine, 'query' | 'replicas'>;
  readonly limits: Pick<Limits, 'acquireSlot'>;
}

/** `POST /api/v1/dynamic/query`: one page of a model, with its exact total (docs/contract.md). */
export function queryRoute(app: FastifyInstance, { engine, limits }: QueryRouteParts): void {
  app.post(
    `/${API_PATHS.query}`,
    { config: { access: 'token', audit: true, runsQuery: true }, onRequest: acceptsJson },
    async (request, reply) => {
      const endQuery = await acquireQuerySlot(limits, request, reply);
      try {
        const { grant, id: caller } = principalOf(request);
        const signal = disconnectSignal(reply);
        const replicas = replicaCall(request, engine);
        const answer = await engine.query(request.body, grant, { signal, caller, replicas });
        request.queried = answer.facts;
        return sendAnswer(answer, request, reply);
      } finally {
        endQuery();
      }
    },
  );
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

function sendAnswer(answer: Answer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { hidesDataVersion = false } = principalOf(request);
  const { version, deprecations, result, page, state } = answer;
  return reply
    .headers({
      'cache-control': 'private, no-cache',
      'server-timing': serverTiming(request.accessMs, answer),
      ...(version !== undefined && !hidesDataVersion && { 'data-version': version }),
      ...(state !== undefined && stateHeaders(state)),
      ...deprecationHeaders(deprecations),
    })
    .type('application/json')
    .send(`{"result":${result},"page":${JSON.stringify(page)}}`);
}

/** The age is rounded up, so that the state is never older than it says. */
function stateHeaders({ ageMs, position }: AnswerState): Record<string, string> {
  return { 'data-age': String(Math.ceil(ageMs) / 1000), 'data-position': position };
}

/**
 * Aborts when the caller's connection closes before the reply is out. `request.signal` and
 * `request.raw` will not do: they also report the end of a body that was read (fastify#4690).
 */
function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  if (reply.raw.destroyed) controller.abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

function serverTiming(auth: number, { milliseconds: { plan, rows, count } }: Answer): string {
  return Object.entries({ auth, plan, rows, count })
    .map(([name, duration]) => `${name};dur=${duration.toFixed(3)}`)
    .join(', ');
}
