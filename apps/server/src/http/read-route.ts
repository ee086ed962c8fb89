import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Limits } from '../limits/limits.ts';
import { acceptsJson } from './accepts-json.ts';
import { disconnectSignal } from './disconnect-signal.ts';
import { namesTag } from './entity-tag.ts';
import type { QueryFacts } from './plugins/audit.ts';
import { acquireQuerySlot } from './query-slot.ts';

/** What was read for a request. */
export interface ReadResult {
  readonly facts: QueryFacts;
  /** The JSON text that is sent. */
  readonly body: () => string;
  /** Equal for two results only if their bodies are, and what the request named of them. */
  readonly tag: () => string;
  /** Headers of a reply with a body and of one without. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of a reply with a body only. */
  readonly bodyHeaders: Readonly<Record<string, string>>;
}

/** A path that reads what the body of a request asks for. */
export interface ReadRoute {
  /** Relative to the base URL. */
  readonly path: string;
  readonly limits: Pick<Limits, 'acquireSlot'>;
  /** The signal aborts when the caller disconnects. */
  readonly read: (request: FastifyRequest, signal: AbortSignal) => Promise<ReadResult>;
}

/** What the path reads by `QUERY`; in the replies to `POST`, where callers look (RFC 10008 §3). */
export const ACCEPT_QUERY = { 'accept-query': 'application/json' };

/** Everything that a reply depends on, where it can be held against what the caller has. */
export const QUERY_HEADERS = { vary: 'Accept, Accept-Encoding, Authorization, Origin' };

/**
 * A path that answers `POST` and `QUERY` alike. A reply to `QUERY` has a strong entity tag, and is
 * 304 for a caller who holds it: decided after access and after reading, so that a tag never says
 * more than the reply would.
 */
export function readRoute(app: FastifyInstance, { path, limits, read }: ReadRoute): void {
  app.route({
    method: ['POST', 'QUERY'],
    url: `/${path}`,
    config: { access: 'token', audit: true, runsQuery: true },
    onRequest: acceptsJson,
    handler: async (request, reply) => {
      const endQuery = await acquireQuerySlot(limits, request, reply);
      try {
        const result = await read(request, disconnectSignal(reply));
        void reply.headers({ 'cache-control': 'private, no-cache', ...result.headers });
        if (request.method !== 'QUERY') return sendBody(result, request, reply);
        const tag = result.tag();
        void reply.headers({ ...QUERY_HEADERS, etag: `"${tag}"` });
        return namesTag(request.headers['if-none-match'], tag)
          ? sendNotModified(result, request, reply)
          : sendBody(result, request, reply);
      } finally {
        endQuery();
      }
    },
  });
}

function sendBody(
  { facts, body, bodyHeaders }: ReadResult,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  request.queried = facts;
  return reply
    .headers({ ...ACCEPT_QUERY, ...bodyHeaders })
    .type('application/json')
    .send(body());
}

/** Whoever holds the records is sent none. */
function sendNotModified(
  { facts }: ReadResult,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  request.queried = { ...facts, rows: 0 };
  return reply.status(304).removeHeader('x-content-type-options').send();
}
