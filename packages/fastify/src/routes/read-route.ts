import type { Answer, Ask, QueryFacts } from '../endpoint/ask.ts';
import type { Bounds } from '../endpoint/bounds.ts';
import type { Route } from '../endpoint/route.ts';
import { namesTag } from '../endpoint/entity-tag.ts';
import { acceptsJson, JSON_TYPE } from '../endpoint/accepts-json.ts';
import type { AnswerHeaders } from '../reply/answer-headers.ts';

export interface ReadResult extends AnswerHeaders {
  readonly facts: QueryFacts;
  /** JSON. */
  readonly body: () => string;
  /** Equal for two results only if their bodies are, and what the request named of them. */
  readonly tag: () => string;
}

export interface ReadRoute {
  /** Relative to the base URL. */
  readonly path: string;
  readonly bounds: Bounds;
  readonly read: (ask: Ask) => Promise<ReadResult>;
}

/** Media type of `QUERY` bodies; in replies to `POST`, where callers look (RFC 10008 §3). */
export const ACCEPT_QUERY = { 'accept-query': 'application/json' };

/** Request headers that a reply to `QUERY` depends on, for caches and revalidation. */
export const QUERY_HEADERS = { vary: 'Accept, Accept-Encoding, Authorization, Origin' };

/**
 * Answers `POST` and `QUERY` alike. A reply to `QUERY` has a strong entity tag, and is 304 where
 * `If-None-Match` names it. That is decided after authentication and reading, so a 304 reveals no
 * more than the reply would.
 */
export function readRoute({ path, bounds, read }: ReadRoute): Route {
  return {
    methods: ['POST', 'QUERY'],
    path,
    access: 'caller',
    reads: true,
    check: acceptsJson,
    answer: async (ask) => {
      const endQuery = await bounds.takeSlot?.(ask);
      try {
        await bounds.takeRecords?.(ask);
        const result = await read(ask);
        const tag = ask.method === 'QUERY' ? result.tag() : undefined;
        const headers = {
          'cache-control': 'private, no-cache',
          ...result.headers,
          ...(tag !== undefined && { ...QUERY_HEADERS, etag: `"${tag}"` }),
        };
        if (tag !== undefined && namesTag(ask.header('if-none-match'), tag))
          return notModified(ask, result, headers);
        const text = result.body();
        await bounds.holdMemory?.(ask, text);
        ask.read = result.facts;
        const ofBody = { ...ACCEPT_QUERY, ...result.bodyHeaders, 'content-type': JSON_TYPE };
        return { status: 200, headers: { ...headers, ...ofBody }, body: text };
      } finally {
        endQuery?.();
      }
    },
  };
}

/** 304, for a caller who holds the current reply. */
function notModified(ask: Ask, { facts }: ReadResult, headers: Answer['headers']): Answer {
  ask.read = { ...facts, rows: 0 };
  return { status: 304, headers: { ...headers, 'x-content-type-options': undefined } };
}
