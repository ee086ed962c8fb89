import { type ReplyMemory, SMALL_REPLY_BYTES } from '@proj/engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Limits } from '../limits/limits.ts';
import { acceptsJson } from './request/accepts-json.ts';
import { disconnectSignal } from './request/disconnect-signal.ts';
import { namesTag } from './entity-tag.ts';
import type { QueryFacts } from './plugins/audit.ts';
import { acquireQuerySlot, acquireRecords } from './query-slot.ts';
import { releaseAtEnd } from './request/reply-end.ts';

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

/** What bounds the replies of a path. */
export interface ReplyLimits {
  readonly limits: Pick<Limits, 'acquireSlot' | 'acquireRecords'>;
  /** What large replies take together; it has no bound where undefined. */
  readonly replyMemory: Pick<ReplyMemory, 'hold'> | undefined;
}

/** A path that reads what the body of a request asks for. */
export interface ReadRoute extends ReplyLimits {
  /** Relative to the base URL. */
  readonly path: string;
  /** The signal aborts when the caller disconnects. */
  readonly read: (request: FastifyRequest, signal: AbortSignal) => Promise<ReadResult>;
}

/** What the path reads by `QUERY`; in the replies to `POST`, where callers look (RFC 10008 §3). */
export const ACCEPT_QUERY = { 'accept-query': 'application/json' };

/**
 * The request headers that a reply to `QUERY` depends on, for caches and for callers who revalidate
 * it.
 */
export const QUERY_HEADERS = { vary: 'Accept, Accept-Encoding, Authorization, Origin' };

/**
 * A path that answers `POST` and `QUERY` alike. A reply to `QUERY` has a strong entity tag, and is
 * 304 where `If-None-Match` names it. That is decided after authentication and after the page is
 * read, so that a 304 reveals nothing that the reply would not.
 */
export function readRoute(app: FastifyInstance, { path, read, ...bounds }: ReadRoute): void {
  const { limits, replyMemory } = bounds;
  app.route({
    method: ['POST', 'QUERY'],
    url: `/${path}`,
    config: { access: 'token', audit: true, runsQuery: true },
    onRequest: acceptsJson,
    handler: async (request, reply) => {
      const endQuery = await acquireQuerySlot(limits, request, reply);
      try {
        await acquireRecords(limits, request, reply);
        const result = await read(request, disconnectSignal(reply));
        const tag = request.method === 'QUERY' ? result.tag() : undefined;
        const isKnown = tag !== undefined && namesTag(request.headers['if-none-match'], tag);
        const text = isKnown ? undefined : result.body();
        if (text !== undefined) await holdMemory(replyMemory, reply, text);
        void reply.headers({ 'cache-control': 'private, no-cache', ...result.headers });
        if (tag !== undefined) void reply.headers({ ...QUERY_HEADERS, etag: `"${tag}"` });
        return text === undefined
          ? sendNotModified(result, request, reply)
          : sendText(text, { result, request, reply });
      } finally {
        endQuery();
      }
    },
  });
}

/** Takes memory for a reply until it is sent, or its caller has disconnected. */
async function holdMemory(
  memory: ReplyLimits['replyMemory'],
  { raw }: FastifyReply,
  text: string,
): Promise<void> {
  if (memory === undefined || text.length <= SMALL_REPLY_BYTES) return;
  const release = await memory.hold(text.length);
  releaseAtEnd(raw, release);
}

interface Sent {
  readonly result: ReadResult;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function sendText(text: string, { result, request, reply }: Sent): FastifyReply {
  request.queried = result.facts;
  return reply
    .headers({ ...ACCEPT_QUERY, ...result.bodyHeaders })
    .type('application/json')
    .send(text);
}

/** Sends 304 without a body to a caller who holds the current reply. */
function sendNotModified(
  { facts }: ReadResult,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  request.queried = { ...facts, rows: 0 };
  return reply.status(304).removeHeader('x-content-type-options').send();
}
