import { API_PATHS } from '@proj/contract';
import type { Answer, Engine } from '@proj/engine';
import type { FastifyInstance, FastifyReply } from 'fastify';

import { acceptsJson } from '../accepts-json.ts';
import { deprecationHeaders } from '../deprecation.ts';
import { principalOf } from '../plugins/access.ts';

/** `POST /api/v1/dynamic/query`: one page of a model, with its exact total (docs/contract.md). */
export function queryRoute(app: FastifyInstance, engine: Engine): void {
  app.post(
    `/${API_PATHS.query}`,
    { config: { access: 'token', audit: true, runsQuery: true }, onRequest: acceptsJson },
    async (request, reply) => {
      const { grant, id, hidesDataVersion = false } = principalOf(request);
      const answer = await engine.query(request.body, grant, {
        signal: departure(reply),
        caller: id,
      });
      request.queried = answer.facts;
      return reply
        .headers({
          'cache-control': 'private, no-cache',
          'server-timing': serverTiming(request.accessMs, answer),
        })
        .headers(
          answer.version === undefined || hidesDataVersion
            ? {}
            : { 'data-version': answer.version },
        )
        .headers(deprecationHeaders(answer.deprecations))
        .type('application/json')
        .send(`{"result":${answer.result},"page":${JSON.stringify(answer.page)}}`);
    },
  );
}

/**
 * Aborts when the caller's connection closes before the reply is out. `request.signal` and
 * `request.raw` will not do: they also report the end of a body that was read (fastify#4690).
 */
function departure(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

function serverTiming(auth: number, { milliseconds: { plan, rows, count } }: Answer): string {
  return `auth;dur=${auth.toFixed(3)}, plan;dur=${plan.toFixed(3)}, rows;dur=${rows.toFixed(3)}, count;dur=${count.toFixed(3)}`;
}
