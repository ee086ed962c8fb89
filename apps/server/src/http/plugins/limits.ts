import { type Ask, Attached, HttpProblem, type Station } from '@proj/fastify/host';

import type { RateLimitState } from '../../limits/counts/rate-limit-state.ts';
import type { Limits } from '../../limits/limits.ts';
import { after } from '../../soon.ts';
import { rateLimitHeaders } from '../rate-limit-headers.ts';

/** The limits of a token, by policy. */
const STATES = new Attached<Ask, Map<string, RateLimitState>>();

type AddressLimits = Pick<Limits, 'blocked' | 'countInvalidToken' | 'remember' | 'remembers'>;

/** Blocks addresses after many invalid tokens, except tokens accepted there in the last hour. */
export function addressLimits(limits: AddressLimits): Station {
  return {
    arrive: (ask, { access }) => {
      const blocked = access === 'caller' ? blockOf(ask, limits) : undefined;
      if (blocked !== undefined)
        throw rateLimited(blocked, 'Too many invalid tokens came from this address.');
    },
    leave: (ask, { status }) => {
      const authorization = ask.header('authorization');
      const isInvalid = status === 401;
      // A request without a token guesses nothing.
      if (authorization === undefined || !(isInvalid || ask.principal !== undefined)) return;
      if (isInvalid) limits.countInvalidToken(ask.address);
      limits.remember(ask.address, authorization, !isInvalid);
    },
  };
}

function blockOf(ask: Ask, limits: AddressLimits): RateLimitState | undefined {
  const authorization = ask.header('authorization');
  const blocked = limits.blocked(ask.address);
  if (blocked === undefined || authorization === undefined) return blocked;
  return limits.remembers(ask.address, authorization) ? undefined : blocked;
}

/** Reports in every reply what remains of a token's limits; in a 304 only limits below half. */
export function tokenLimits(limits: Pick<Limits, 'consumeRequest' | 'consumeRecords'>): Station {
  return {
    admit: (ask, { reads }) => {
      if (ask.principal === undefined) return undefined;
      return after(limits.consumeRequest(ask.principal.id), ({ requests: sent, records }) => {
        noteRateLimit(ask, sent);
        noteRateLimit(ask, records);
        if (sent?.allowed === false)
          throw rateLimited(sent, `The token may send ${sent.limit} requests in 60 seconds.`);
        if (records?.allowed === false && reads === true) throw quotaExceeded(records);
      });
    },
    leave: (ask, answer) => {
      const { principal, read } = ask;
      if (principal === undefined) return undefined;
      const records = read?.rows ?? 0;
      const consumed = records > 0 ? limits.consumeRecords(principal.id, records) : undefined;
      return after(consumed, (state) => {
        noteRateLimit(ask, state);
        const states = [...(STATES.get(ask)?.values() ?? [])];
        // Keeps replies to frequent revalidation short.
        const isShort = answer.status === 304;
        const shown = states.filter(({ limit, remaining }) => !isShort || remaining < limit / 2);
        Object.assign(answer.headers, rateLimitHeaders(shown));
      });
    },
  };
}

/** For the headers of the reply; the last state of a policy counts. */
export function noteRateLimit(ask: Ask, state: RateLimitState | undefined): void {
  if (state === undefined) return;
  const states = STATES.get(ask) ?? new Map<string, RateLimitState>();
  states.set(state.policy.name, state);
  STATES.set(ask, states);
}

export function rateLimited(state: RateLimitState, detail: string): HttpProblem {
  return new HttpProblem('rate_limited', detail, { headers: retryAfter(state) });
}

/** Running queries count as what they may return. */
export function quotaExceeded(
  state: RateLimitState,
  detail = `The token may read ${state.limit} records in 24 hours.`,
): HttpProblem {
  return new HttpProblem('quota_exceeded', detail, { headers: retryAfter(state) });
}

function retryAfter({ resetSeconds = 1 }: RateLimitState): Record<string, string> {
  return { 'retry-after': String(resetSeconds) };
}
