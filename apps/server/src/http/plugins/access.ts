import { HttpProblem, type Principal } from '@proj/fastify/host';
import type { FastifyInstance } from 'fastify';

import { after, type Soon } from '../../soon.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Required; the pipeline identifies the callers of its own routes. */
    access?: 'public' | 'caller';
  }
}

/** Undefined when the token is not valid, for whatever reason. */
export type Authenticate = (token: string) => Soon<Principal | undefined>;

export function demandAccessRules(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config, errorHandler }) => {
    const { access } = config ?? {};
    if (access === undefined || (access === 'caller' && errorHandler === undefined))
      throw new Error(`${String(method)} ${url} has no access rule.`);
  });
}

const INVALID_TOKEN = 'Bearer realm="dynamic-query", error="invalid_token"';

/** Refuses any header other than `Bearer <token>`, always alike, to repeat no part of a token. */
const NO_BEARER =
  'The header Authorization has no bearer token. Write it as `Authorization: Bearer <token>`.';

/** @throws {HttpProblem} `unauthenticated` without a valid token */
export function authorize(
  authorization: string | undefined,
  authenticate: Authenticate,
): Soon<Principal> {
  if (authorization === undefined)
    throw unauthenticated('No token was sent.', 'Bearer realm="dynamic-query"');
  // RFC 6750 §2.1
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization)?.[1];
  if (token === undefined && !/^bearer +\S/i.test(authorization))
    throw unauthenticated(NO_BEARER, INVALID_TOKEN);
  return after(token && authenticate(token), (principal) => {
    if (!principal) throw unauthenticated('The token is not valid.', INVALID_TOKEN);
    return principal;
  });
}

/** RFC 6750 §3: only a request with a bad token learns that it is bad. */
function unauthenticated(detail: string, challenge: string): HttpProblem {
  return new HttpProblem('unauthenticated', detail, { headers: { 'www-authenticate': challenge } });
}
