import { API_PATHS } from '@proj/contract';
import type { Answer as Found, FacetsAnswer } from '@proj/engine';

import { type Answer, type Ask, principalOf } from '../endpoint/ask.ts';
import { acceptsJson, JSON_TYPE } from '../endpoint/content-type.ts';
import { namesTag } from '../endpoint/entity-tag.ts';
import type { Route } from '../endpoint/route.ts';
import { ACCEPT_QUERY, answerHeaders, queryHeaders } from '../reply/answer-headers.ts';
import { READS, type RouteParts } from './route-parts.ts';

interface Reading<Read extends Found | FacetsAnswer> {
  readonly read: (ask: Ask) => Promise<Read>;
  readonly textOf: (found: Read) => string;
}

export function queryRoute(parts: RouteParts): Route {
  return readRoute<Found>(API_PATHS.query, parts, {
    read: (ask) => parts.engine.query(ask.body, principalOf(ask).grant, ask),
    textOf: ({ result, page }) => `{"result":${result},"page":${JSON.stringify(page)}}`,
  });
}

/** `/api/v1/dynamic/facets`, where values and bins count as records. */
export function facetsRoute(parts: RouteParts): Route {
  return readRoute<FacetsAnswer>(API_PATHS.facets, parts, {
    read: (ask) => parts.engine.facets(ask.body, principalOf(ask).grant, ask),
    textOf: ({ json }) => json,
  });
}

function readRoute<Read extends Found | FacetsAnswer>(
  path: string,
  { bounds, engine }: RouteParts,
  { read, textOf }: Reading<Read>,
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
        const found = await read(ask);
        const facts = { page: null, size: null, ...found.facts };
        const answer = replyTo(ask, found, textOf);
        if (answer.body !== undefined) await bounds.holdMemory?.(ask, answer.body);
        ask.read = answer.body === undefined ? { ...facts, rows: 0 } : facts;
        return answer;
      } finally {
        endQuery?.();
      }
    },
  };
}

/** Whether a `QUERY` is 304 is decided after reading, so that it reveals no more than the reply. */
function replyTo<Read extends Found | FacetsAnswer>(
  ask: Ask,
  found: Read,
  textOf: (found: Read) => string,
): Answer & { readonly body?: string } {
  const tag = ask.method === 'QUERY' ? found.tag() : undefined;
  const { headers: own, bodyHeaders } = answerHeaders(found, ask);
  const headers = {
    'cache-control': 'private, no-cache',
    ...own,
    ...queryHeaders(ask),
    ...(tag !== undefined && { etag: `"${tag}"` }),
  };
  if (tag !== undefined && namesTag(ask.header('if-none-match'), tag))
    return { status: 304, headers: { ...headers, 'x-content-type-options': undefined } };
  Object.assign(headers, ACCEPT_QUERY, bodyHeaders, { 'content-type': JSON_TYPE });
  return { status: 200, headers, body: textOf(found) };
}
