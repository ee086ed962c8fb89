import { API_PATHS, WATCH_TYPE } from '@proj/contract';
import type { ListWatch } from '@proj/engine';

import { type Answer, type Ask, principalOf } from '../endpoint/ask.ts';
import { acceptedType } from '../endpoint/content-type.ts';
import type { Route } from '../endpoint/route.ts';
import { ACCEPT_QUERY, deprecationHeaders, queryHeaders } from '../reply/answer-headers.ts';
import { LastingAccess } from '../reply/lasting-access.ts';
import { WatchReply } from '../reply/watch-reply.ts';
import { READS, type RouteParts } from './route-parts.ts';

/** Not cached or buffered (nginx buffers by default), nor kept open for a stopping process. */
const STREAMED = {
  'content-type': WATCH_TYPE,
  connection: 'close',
  'cache-control': 'private, no-cache, no-transform',
  'x-accel-buffering': 'no',
};

export function watchRoute(parts: RouteParts): Route {
  return {
    ...READS,
    path: API_PATHS.watch,
    check: (ask) => void acceptedType(ask, [WATCH_TYPE]),
    answer: (ask) => watchList(parts, ask),
  };
}

async function watchList(parts: RouteParts, ask: Ask): Promise<Answer> {
  const { watches, checks, publicUrl } = parts;
  // Before the watch reads the grant, whose later changes then end it.
  const access = new LastingAccess(ask, checks);
  const givePlaceBack = watches.takePlace(principalOf(ask).id);
  const answer = new WatchReply({ ask, access, watches, publicUrl });
  const watch = await openWatch(parts, ask, answer.signal).catch((error: unknown) => {
    givePlaceBack();
    throw error;
  });
  ask.read = { ...watch.facts, page: null, size: null, rows: 0 };
  watches.add(answer);
  void answer.follow(watch).finally(() => {
    watches.remove(answer);
    givePlaceBack();
  });
  return {
    status: 200,
    headers: {
      ...STREAMED,
      ...ACCEPT_QUERY,
      ...queryHeaders(ask),
      ...deprecationHeaders(watch.deprecations),
    },
    body: answer.body,
  };
}

async function openWatch(
  { engine, bounds }: RouteParts,
  ask: Ask,
  signal: AbortSignal,
): Promise<ListWatch> {
  await bounds.takeWatch?.(ask);
  const { grant, id: caller, hidesDataVersion = false } = principalOf(ask);
  const call = { signal, caller, seesVersion: !hidesDataVersion };
  return engine.watch(ask.body, grant, call);
}
