import { API_PATHS } from '@proj/contract';
import type { Answer as Found, FacetsAnswer } from '@proj/engine';

import { type Answer, type Ask, principalOf, type QueryFacts } from '../endpoint/ask.ts';
import { acceptsJson, JSON_TYPE } from '../endpoint/content-type.ts';
import { namesTag } from '../endpoint/entity-tag.ts';
import type { Route } from '../endpoint/route.ts';
import { ACCEPT_QUERY, answerHeaders, queryHeaders } from '../reply/answer-headers.ts';
import { READS, type RouteParts } from './route-parts.ts';

interface Read {
  readonly answer: Found | FacetsAnswer;
  readonly facts: QueryFacts;
  readonly body: () => string;
}

export function queryRoute(parts: RouteParts): Route {
  return readRoute(API_PATHS.query, parts, async (ask) => {
    const answer = await parts.engine.query(ask.body, principalOf(ask).grant, ask);
    const { result, page, facts } = answer;
    return { answer, facts, body: () => `{"result":${result},"page":${JSON.stringify(page)}}` };
  });
}

/** `/api/v1/dynamic/facets`, where values and bins count as records. */
export function facetsRoute(parts: RouteParts): Route {
  return readRoute(API_PATHS.facets, parts, async (ask) => {
    const answer = await parts.engine.facets(ask.body, principalOf(ask).grant, ask);
    return { answer, facts: { ...answer.facts, page: null, size: null }, body: () => answer.json };
  });
}

/** Whether a `QUERY` is 304 is decided after reading, so that it reveals no more than the reply. */
function readRoute(
  path: string,
  { bounds, engine }: RouteParts,
  read: (ask: Ask) => Promise<Read>,
): Route {
  return {
    ...READS,
    path,
    check: acceptsJson,
    answer: async (ask) => {
      const endQuery = await bounds.takeSlot?.(ask);
      try {
        await bounds.takeRecords?.(ask);
        // Otherwise the primary answers.
        if (engine.replicas !== undefined && principalOf(ask).usesReplicas === true)
          ask.replicas = { atLeast: ask.header('data-at-least') };
        return await replyTo(ask, bounds, await read(ask));
      } finally {
        endQuery?.();
      }
    },
  };
}

async function replyTo(
  ask: Ask,
  bounds: RouteParts['bounds'],
  { answer, facts, body }: Read,
): Promise<Answer> {
  const tag = ask.method === 'QUERY' ? answer.tag() : undefined;
  const { headers: found, bodyHeaders } = answerHeaders(answer, ask);
  const headers = {
    'cache-control': 'private, no-cache',
    ...found,
    ...queryHeaders(ask),
    ...(tag !== undefined && { etag: `"${tag}"` }),
  };
  if (tag !== undefined && namesTag(ask.header('if-none-match'), tag)) {
    ask.read = { ...facts, rows: 0 };
    return { status: 304, headers: { ...headers, 'x-content-type-options': undefined } };
  }
  const text = body();
  await bounds.holdMemory?.(ask, text);
  ask.read = facts;
  Object.assign(headers, ACCEPT_QUERY, bodyHeaders, { 'content-type': JSON_TYPE });
  return { status: 200, headers, body: text };
}
