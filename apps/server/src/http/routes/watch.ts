import { API_PATHS, WATCH_TYPE } from '@proj/contract';
import type { Engine, ListWatch } from '@proj/engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Limits } from '../../limits/limits.ts';
import type { Lifecycle } from '../../process/lifecycle.ts';
import { deprecationHeaders } from '../deprecation.ts';
import { principalOf } from '../plugins/access.ts';
import { noteFailure } from '../plugins/problem.ts';
import { HttpProblem } from '../problems.ts';
import { acquireWatchSlot } from '../query-slot.ts';
import { ACCEPT_QUERY, QUERY_HEADERS } from '../read-route.ts';
import type { OpenWatches } from '../reply/open-watches.ts';
import { type AccessChecks, LastingAccess } from '../reply/lasting-access.ts';
import { WatchReply } from '../reply/watch-reply.ts';
import { disconnectSignal } from '../request/disconnect-signal.ts';

/** What watches are answered with. */
export interface WatchRouteParts {
  readonly engine: Pick<Engine, 'watch'>;
  readonly checks: AccessChecks;
  readonly limits: Pick<Limits, 'acquireWatch'>;
  readonly watches: OpenWatches;
  readonly lifecycle: Pick<Lifecycle, 'onClosing'>;
}

/**
 * Neither kept nor collected by what is on the way: nginx collects replies by itself. The
 * connection ends with the events, so that a stopping process does not wait for it.
 */
const STREAMED = {
  'content-type': WATCH_TYPE,
  connection: 'close',
  'cache-control': 'private, no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** `/api/v1/dynamic/watch`: events when a list changes (docs/reference/contract.md). */
export function watchRoute(app: FastifyInstance, parts: WatchRouteParts): void {
  // A stopping process does not wait for watches, which end by themselves only.
  parts.lifecycle.onClosing(() => parts.watches.stopAll());
  app.route({
    method: ['POST', 'QUERY'],
    url: `/${API_PATHS.watch}`,
    config: { access: 'token', audit: true, runsQuery: true },
    onRequest: (request, _reply, next) => {
      if (request.type([WATCH_TYPE]) === false)
        throw new HttpProblem('not_acceptable', `This path answers with ${WATCH_TYPE}.`);
      next();
    },
    handler: (request, reply) => watchList(parts, request, reply),
  });
}

async function watchList(
  parts: WatchRouteParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { watches } = parts;
  const givePlaceBack = watches.takePlace(principalOf(request).id);
  const watch = await openWatch(parts, request, reply).catch((error: unknown) => {
    givePlaceBack();
    throw error;
  });
  request.queried = { ...watch.facts, page: null, size: null, rows: 0 };
  const answer = replyTo(request, reply, parts);
  const close = watches.add(answer);
  void answer.follow(watch).finally(close).finally(givePlaceBack);
  return reply
    .headers({
      ...STREAMED,
      ...ACCEPT_QUERY,
      ...(request.method === 'QUERY' ? QUERY_HEADERS : {}),
      ...deprecationHeaders(watch.deprecations),
    })
    .send(answer.body);
}

async function openWatch(
  { engine, limits }: Pick<WatchRouteParts, 'engine' | 'limits'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ListWatch> {
  await acquireWatchSlot(limits, request, reply);
  const { grant, id: caller, hidesDataVersion = false } = principalOf(request);
  const call = { signal: disconnectSignal(reply), caller, seesVersion: !hidesDataVersion };
  return engine.watch(request.body, grant, call);
}

function replyTo(
  request: FastifyRequest,
  { raw: response }: FastifyReply,
  { checks, watches }: Pick<WatchRouteParts, 'checks' | 'watches'>,
): WatchReply {
  const { id: requestId, headers } = request;
  const lastId = headers['last-event-id'];
  return new WatchReply({
    lastId: lastId === undefined ? undefined : String(lastId),
    access: new LastingAccess(request, checks),
    explain: (error) => {
      const problem = noteFailure(error, request, 'the watch ended');
      request.problemCode = problem.code;
      return problem;
    },
    requestId,
    publicUrl: request.server.publicUrl,
    onEvent: () => watches.noteEvent(),
    response,
  });
}
