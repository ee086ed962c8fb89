import { performance } from 'node:perf_hooks';

import type { Grant } from '@proj/engine';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

import type { Principal } from '../../access/tokens.ts';
import { HttpProblem } from '../problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may use the route. A route that does not say is refused when it is registered. */
    access?: 'public' | 'token';
  }
  interface FastifyRequest {
    /** Who asks; set on routes with `access: 'token'`. */
    principal: Principal | null;
    /** How long finding that out took, in milliseconds. */
    accessMs: number;
  }
}

/** Finds who a token stands for; undefined when it is not valid, for whatever reason. */
export type Authenticate = (token: string) => Promise<Principal | undefined>;

interface AccessOptions {
  readonly authenticate: Authenticate;
}

/** Decides, before a body is read, whether a request may pass. */
export const accessPlugin = fp<AccessOptions>(
  (app, { authenticate }, done) => {
    app.decorateRequest('principal', null);
    app.decorateRequest('accessMs', 0);
    app.addHook('onRoute', ({ method, url, config }) => {
      if (config?.access === undefined)
        throw new Error(`${String(method)} ${url} has no access rule.`);
    });
    app.addHook('onRequest', async (request) => {
      if (request.routeOptions.config.access !== 'token') return;
      const started = performance.now();
      request.principal = await authorize(request.headers.authorization, authenticate);
      request.accessMs = performance.now() - started;
    });
    done();
  },
  { name: 'access' },
);

/** What the caller of a route with `access: 'token'` may see. */
export function grantOf(request: FastifyRequest): Grant {
  return principalOf(request).grant;
}

/** The caller of a route with `access: 'token'`. */
export function principalOf({ principal }: Pick<FastifyRequest, 'principal'>): Principal {
  if (principal === null) throw new Error('The route has no access rule that finds a principal.');
  return principal;
}

const INVALID_TOKEN = 'Bearer realm="dynamic-query", error="invalid_token"';

/**
 * The refusal of any header that is not `Bearer <token>`. It is always the same, so that it repeats
 * no part of a token.
 */
const NO_BEARER =
  'The header Authorization has no bearer token. Write it as `Authorization: Bearer <token>`.';

/**
 * The caller whose token an `Authorization` header has.
 *
 * @throws {HttpProblem} `unauthenticated` when it has no token that is valid now
 */
export async function authorize(
  authorization: string | undefined,
  authenticate: Authenticate,
): Promise<Principal> {
  if (authorization === undefined)
    throw unauthenticated('No token was sent.', 'Bearer realm="dynamic-query"');
  if (!/^bearer +\S/i.test(authorization)) throw unauthenticated(NO_BEARER, INVALID_TOKEN);
  const token = bearerToken(authorization);
  const principal = token === undefined ? undefined : await authenticate(token);
  if (principal === undefined) throw unauthenticated('The token is not valid.', INVALID_TOKEN);
  return principal;
}

/** The token of an `Authorization` header (RFC 6750 §2.1), or undefined when it has none. */
function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization ?? '')?.[1];
}

/**
 * RFC 6750 §3: a request without a token learns the scheme only, one with a bad token also that it
 * is bad.
 */
function unauthenticated(detail: string, challenge: string): HttpProblem {
  return new HttpProblem('unauthenticated', detail, { headers: { 'www-authenticate': challenge } });
}
