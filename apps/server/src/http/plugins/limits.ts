// The limits of addresses come before the access plugin, those of tokens after it:
//
//   await app.register(addressLimitsPlugin, { limits });
//   await app.register(accessPlugin, { authenticate });
//   await app.register(tokenLimitsPlugin, { limits });
//
// A route that runs queries says so with `config: { runsQuery: true }`, holds a slot for each
// (`acquireQuerySlot`) and puts what it read in `request.queried`.
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

import type { Limits } from '../../limits/limits.ts';
import type { RateLimitState } from '../../limits/counts/rate-limit-state.ts';
import { HttpProblem } from '../problems.ts';
import { rateLimitHeaders } from '../rate-limit-headers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route runs queries, to which quotas apply. */
    runsQuery?: true;
  }
  interface FastifyRequest {
    /** The limits of the token, by policy; null before they are known. */
    rateLimits: Map<string, RateLimitState> | null;
  }
}

interface AddressLimitsOptions {
  readonly limits: Pick<Limits, 'blocked' | 'countInvalidToken' | 'remember' | 'remembers'>;
}

interface TokenLimitsOptions {
  readonly limits: Pick<Limits, 'consumeRequest' | 'consumeRecords'>;
}

/**
 * Refuses addresses that have sent too many invalid tokens, before the next one is looked at.
 * Tokens that were accepted from there in the last hour go on: one client with a wrong token does
 * not lock out the others behind the same address.
 */
export const addressLimitsPlugin = fp<AddressLimitsOptions>(
  (app, { limits }, done) => {
    app.addHook('onRequest', (request, _reply, next) => {
      const blocked = blockOf(request, limits);
      next(blocked && rateLimited(blocked, 'Too many invalid tokens came from this address.'));
    });
    // oxlint-disable-next-line max-params -- the signature is Fastify's
    app.addHook('onSend', (request, reply, _payload, next) => {
      const { ip, principal, headers } = request;
      const isInvalid = reply.statusCode === 401;
      // A request without a token guesses nothing.
      if (headers.authorization !== undefined && (isInvalid || principal !== null)) {
        if (isInvalid) limits.countInvalidToken(ip);
        limits.remember(ip, headers.authorization, !isInvalid);
      }
      next();
    });
    done();
  },
  { name: 'address-limits' },
);

function blockOf(
  { routeOptions, ip, headers: { authorization } }: FastifyRequest,
  limits: AddressLimitsOptions['limits'],
): RateLimitState | undefined {
  if (routeOptions.config.access !== 'token') return undefined;
  const blocked = limits.blocked(ip);
  if (blocked === undefined || authorization === undefined) return blocked;
  return limits.remembers(ip, authorization) ? undefined : blocked;
}

/**
 * Holds tokens to their limits, and reports in every reply what remains of them; in a 304 only of
 * those of which less than half remains.
 */
export const tokenLimitsPlugin = fp<TokenLimitsOptions>(
  (app, { limits }, done) => {
    app.decorateRequest('rateLimits', null);
    app.addHook('onRequest', async (request) => {
      const { principal } = request;
      if (principal === null) return;
      const { requests, records } = await limits.consumeRequest(principal.id);
      noteRateLimit(request, requests);
      noteRateLimit(request, records);
      if (requests?.allowed === false)
        throw rateLimited(requests, `The token may send ${requests.limit} requests in 60 seconds.`);
      if (records?.allowed === false && request.routeOptions.config.runsQuery === true)
        throw quotaExceeded(records);
    });
    app.addHook('onSend', async (request, reply) => {
      const { principal, queried } = request;
      if (principal === null) return;
      const records = queried?.rows ?? 0;
      if (records > 0) noteRateLimit(request, await limits.consumeRecords(principal.id, records));
      const states = [...(request.rateLimits?.values() ?? [])];
      // Whoever revalidates often is to be sent little, until it has to slow down.
      const shown = reply.statusCode === 304 ? states.filter(isHalfConsumed) : states;
      void reply.headers(rateLimitHeaders(shown));
    });
    done();
  },
  { name: 'token-limits', dependencies: ['address-limits', 'access', 'audit'] },
);

function isHalfConsumed({ limit, remaining }: RateLimitState): boolean {
  return remaining < limit / 2;
}

/**
 * Counts the records of an export against the quota before the first of them is sent, whether or
 * not the caller reads them all.
 *
 * @throws {HttpProblem} `quota_exceeded` when they are more than what is left
 */
export async function reserveRecords(
  request: FastifyRequest,
  limits: Pick<Limits, 'reserveRecords'>,
  total: bigint,
): Promise<void> {
  const { principal } = request;
  if (principal === null || total === 0n) return;
  const state = await limits.reserveRecords(principal.id, Number(total));
  noteRateLimit(request, state);
  if (state?.allowed !== false) return;
  const detail =
    `The list has ${total} records; of the ${state.limit} that the token may read in 24 hours, ` +
    `${state.remaining} are left.`;
  throw new HttpProblem('quota_exceeded', detail, { headers: retryAfter(state) });
}

/** Keeps the state of a limit for the headers of the reply; the last one of a policy counts. */
export function noteRateLimit(request: FastifyRequest, state: RateLimitState | undefined): void {
  if (state === undefined) return;
  request.rateLimits ??= new Map();
  request.rateLimits.set(state.policy.name, state);
}

export function rateLimited(state: RateLimitState, detail: string): HttpProblem {
  return new HttpProblem('rate_limited', detail, { headers: retryAfter(state) });
}

/** What runs counts as what it may return. */
export function quotaExceeded(state: RateLimitState): HttpProblem {
  const detail = `The token may read ${state.limit} records in 24 hours.`;
  return new HttpProblem('quota_exceeded', detail, { headers: retryAfter(state) });
}

function retryAfter({ resetSeconds = 1 }: RateLimitState): Record<string, string> {
  return { 'retry-after': String(resetSeconds) };
}
