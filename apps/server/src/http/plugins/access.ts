import { HttpProblem, type Principal } from '@proj/fastify/host';
import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Who may use the route. A route that does not say is refused when it is registered. The
     * pipeline finds out who calls: a route for callers is one of its own.
     */
    access?: 'public' | 'caller';
  }
}

/** Finds who a token stands for; undefined when it is not valid, for whatever reason. */
export type Authenticate = (token: string) => Promise<Principal | undefined>;

/** Refuses routes that do not say who may use them. */
export const accessPlugin = fp(
  (app, _options, done) => {
    app.addHook('onRoute', ({ method, url, config, errorHandler }) => {
      const { access } = config ?? {};
      if (access === undefined || (access === 'caller' && errorHandler === undefined))
        throw new Error(`${String(method)} ${url} has no access rule.`);
    });
    done();
  },
  { name: 'access' },
);

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
