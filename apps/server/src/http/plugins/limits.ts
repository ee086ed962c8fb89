// The two halves of the limits stand around the access plugin, with the audit plugin somewhere
// before them:
//
//   await app.register(addressLimitsPlugin, { limits });
//   await app.register(accessPlugin, { authenticate });
//   await app.register(tokenLimitsPlugin, { limits });
//
// A route that runs queries says so with `config: { runsQuery: true }` and leaves what it read in
// `request.queried`.
import type { FastifyRequest, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';

import type { Principal } from '../../access/tokens.ts';
import { rateLimitHeaders } from '../../limits/headers.ts';
import type { Limits } from '../../limits/limits.ts';
import type { Standing } from '../../limits/standing.ts';
import type { TokenLimits } from '../../settings/rate-limits.ts';
import { HttpProblem } from '../problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route runs queries: each takes a slot of the token, and their rows count. */
    runsQuery?: true;
  }
  interface FastifyRequest {
    /** Where the token stands under its limits, by policy; null before it is known. */
    standings: Map<string, Standing> | null;
  }
}

interface AddressLimitsOptions {
  readonly limits: Pick<Limits, 'blocked' | 'failure' | 'remember' | 'remembers'>;
}

interface TokenLimitsOptions {
  readonly limits: Pick<Limits, 'take' | 'enter' | 'rows'>;
  /** The limits of a caller; those of the settings where undefined. */
  readonly limitsOf?: (principal: Principal) => TokenLimits | undefined;
}

/**
 * Refuses addresses that have sent too many invalid tokens, before the next one is looked at.
 * Tokens that were accepted from there in the last hour go on: one faulty client does not lock out
 * the others behind the same address.
 */
export const addressLimitsPlugin = fp<AddressLimitsOptions>(
  (app, { limits }, done) => {
    app.addHook('onRequest', (request, _reply, next) => {
      const standing =
        request.routeOptions.config.access === 'token' ? limits.blocked(request.ip) : undefined;
      const { authorization } = request.headers;
      const isKnown =
        standing !== undefined &&
        authorization !== undefined &&
        limits.remembers(request.ip, authorization);
      next(
        standing === undefined || isKnown
          ? undefined
          : tooMuch(standing, 'Too many invalid tokens came from this address.'),
      );
    });
    app.addHook('onSend', (request, reply, _payload, next) => {
      const { ip, principal, headers } = request;
      const isInvalid = reply.statusCode === 401;
      // A request without a token guesses nothing.
      if (headers.authorization !== undefined && (isInvalid || principal !== null)) {
        if (isInvalid) limits.failure(ip);
        limits.remember(ip, headers.authorization, !isInvalid);
      }
      next();
    });
    done();
  },
  { name: 'address-limits' },
);

/** Holds tokens to their limits, and tells callers in every reply where they stand. */
export const tokenLimitsPlugin = fp<TokenLimitsOptions>(
  (app, options, done) => {
    const { limits, limitsOf = () => undefined } = options;
    app.decorateRequest('standings', null);
    app.addHook('onRequest', async (request) => {
      if (request.principal !== null) await take(request, request.principal, options);
    });
    app.addHook('onRoute', (route) => {
      if (route.config?.runsQuery === true) holdSlot(route, options);
    });
    app.addHook('onSend', async ({ principal, queried, standings }, reply) => {
      if (principal === null || standings === null) return;
      const rows = queried?.rows ?? 0;
      if (rows > 0) note(standings, await limits.rows(principal.id, rows, limitsOf(principal)));
      void reply.headers(rateLimitHeaders([...standings.values()]));
    });
    done();
  },
  { name: 'token-limits', dependencies: ['address-limits', 'access', 'audit'] },
);

async function take(
  request: FastifyRequest,
  principal: Principal,
  { limits, limitsOf }: TokenLimitsOptions,
): Promise<void> {
  const { requests, rows } = await limits.take(principal.id, limitsOf?.(principal));
  request.standings = new Map();
  note(request.standings, requests);
  note(request.standings, rows);
  if (requests?.allowed === false)
    throw tooMuch(requests, `The token may send ${requests.limit} requests in 60 seconds.`);
  if (rows?.allowed === false && request.routeOptions.config.runsQuery === true) {
    throw new HttpProblem('quota_exceeded', `The token may read ${rows.limit} rows in 24 hours.`, {
      headers: retryAfter(rows),
    });
  }
}

/**
 * The slot is held until the reply is sent, so that callers who do not read run no further queries.
 * A caller that leaves frees it when its query has really ended.
 */
function holdSlot(route: RouteOptions, { limits, limitsOf }: TokenLimitsOptions): void {
  const { handler } = route;
  route.handler = async function handleInSlot(request, reply) {
    const { principal, standings } = request;
    if (principal === null || standings === null)
      throw new Error('A route that runs queries needs a token.');
    const { standing, release } = limits.enter(principal.id, limitsOf?.(principal));
    note(standings, standing);
    if (standing?.allowed === false)
      throw tooMuch(standing, `The token may run ${standing.limit} queries at once.`);
    try {
      return await handler.call(this, request, reply);
    } finally {
      if (reply.raw.destroyed) release();
      else reply.raw.once('close', release);
    }
  };
}

function note(standings: Map<string, Standing>, standing: Standing | undefined): void {
  if (standing !== undefined) standings.set(standing.policy.name, standing);
}

function tooMuch(standing: Standing, detail: string): HttpProblem {
  return new HttpProblem('rate_limited', detail, { headers: retryAfter(standing) });
}

function retryAfter({ resetSeconds = 1 }: Standing): Record<string, string> {
  return { 'retry-after': String(resetSeconds) };
}
