import type { Answer } from '../../../cli/test/service/answer.ts';
import { instead, onHeaders } from '../tampering.ts';
import type { Variant } from './variant.ts';

/** Every reply to QUERY with this tag, or none where the caller sends it. */
function tagged(answer: Answer, etag: string, held: boolean): Answer {
  const headers = { ...answer.headers, etag };
  return held ? { status: 304, headers, body: '' } : { ...answer, status: 200, headers };
}

/** Servers that take QUERY, and not as the contract says. */
export const WRONG_QUERY_METHOD: Readonly<Record<string, Variant>> = {
  'has weak tags only': {
    behaviour: {
      after: onHeaders(({ etag, ...headers }) => ({
        ...headers,
        ...(etag !== undefined && { etag: headers['vary'] === undefined ? etag : `W/${etag}` }),
      })),
    },
    breaks: ['query-method-reply'],
  },
  'has one tag for all pages': {
    behaviour: {
      after: (answer, { method, headers }) =>
        method === 'QUERY' && answer.status < 400
          ? tagged(answer, '"1"', String(headers['if-none-match']).includes('"1"'))
          : answer,
    },
    breaks: ['query-method-tag'],
  },
  'takes * for the tag that a caller holds': {
    behaviour: {
      after: instead(
        ({ headers }) => headers['if-none-match'] === '*',
        (answer) => ({ ...answer, status: 304, body: '' }),
      ),
    },
    breaks: ['query-method-not-modified'],
  },
  'does not say what replies depend on': {
    behaviour: { after: onHeaders(({ vary: _vary, ...headers }) => headers) },
    breaks: ['query-method-headers'],
  },
  'takes any body of a QUERY': {
    behaviour: {
      before: (request) =>
        request.method === 'QUERY'
          ? { ...request, headers: { ...request.headers, 'content-type': 'application/json' } }
          : request,
    },
    breaks: ['query-method-refusals'],
  },
};
