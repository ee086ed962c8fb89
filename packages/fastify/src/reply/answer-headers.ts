import type { Answer, DeprecationSettings } from '@proj/engine';

import { type Ask, principalOf } from '../endpoint/ask.ts';

type Headers = Readonly<Record<string, string>>;

interface AnswerFacts extends Pick<Answer, 'version' | 'deprecations' | 'state' | 'approximate'> {
  readonly milliseconds: Readonly<Partial<Answer['milliseconds']>>;
}

/** `Data-Version` needs a body: a caller who gets 304 holds a version of the same data. */
export function answerHeaders(answer: AnswerFacts, ask: Ask) {
  const { hidesDataVersion = false } = principalOf(ask);
  const { version, deprecations, state, approximate, milliseconds } = answer;
  const timings = Object.entries({ auth: ask.accessMs, ...milliseconds });
  return {
    headers: {
      // The age is rounded up, so that the state is never older than it says.
      ...(state !== undefined && {
        'data-age': String(Math.ceil(state.ageMs) / 1000),
        'data-position': state.position,
      }),
      // Records and total may be of different states.
      ...(approximate && { 'data-state': 'approximate' }),
      ...deprecationHeaders(deprecations),
    },
    bodyHeaders: {
      'server-timing': timings.map(([name, ms]) => `${name};dur=${ms.toFixed(3)}`).join(', '),
      ...(version !== undefined && !hidesDataVersion && { 'data-version': version }),
    },
  };
}

/** The earliest `Deprecation` (RFC 9745) and `Sunset` (RFC 8594); the catalogue says of what. */
export function deprecationHeaders(deprecations: readonly DeprecationSettings[]): Headers {
  if (deprecations.length === 0) return {};
  const [since] = deprecations.map((deprecation) => deprecation.since).toSorted();
  const [sunset] = deprecations.flatMap((deprecation) => deprecation.sunset ?? []).toSorted();
  return {
    ...(since !== undefined && { deprecation: `@${Date.parse(since) / 1000}` }),
    ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
  };
}

/** Media type of `QUERY` bodies; in replies to `POST`, where callers look (RFC 10008 §3). */
export const ACCEPT_QUERY = { 'accept-query': 'application/json' };

/** What a reply to `QUERY` depends on, for caches and revalidation. */
export function queryHeaders({ method }: Ask): Headers {
  return method === 'QUERY' ? { vary: 'Accept, Accept-Encoding, Authorization, Origin' } : {};
}
