import { createServer, type IncomingMessage, type RequestListener } from 'node:http';

import { listenOnFreePort } from '@proj/test-servers';
import { Provider } from 'oidc-provider';
import { onTestFinished, vi } from 'vitest';

import { type JwtSettings, jwtSettings } from '../../src/settings/groups/jwt.ts';
import type { IssuerKey } from './tokens.ts';

const AUDIENCE = 'dynamic-query';

/** Names resources; the audience of their tokens is another matter. */
const RESOURCE = 'https://shop.example/api';

/** As Keycloak has them. */
const PATHS = {
  jwks: '/protocol/openid-connect/certs',
  token: '/protocol/openid-connect/token',
} as const;

const DAY_S = 86_400;

export interface TestIssuer {
  readonly settings: JwtSettings;
  /** An access token by the client credentials grant. */
  readonly token: () => Promise<string>;
  /** Begins anew, with another key. */
  readonly restart: (key: IssuerKey) => void;
  /** Answers no more: connections end. */
  readonly stop: () => void;
}

/** A real OpenID provider that ends with the test. */
export async function startIssuer(key: IssuerKey): Promise<TestIssuer> {
  // It warns that it forgets everything when it stops, which is what a test wants.
  vi.spyOn(console, 'warn').mockReturnValue();
  let answer: RequestListener = endConnection;
  const issuer = await serve((request, response) => answer(request, response));
  const start = (next: IssuerKey): void => {
    answer = providerWith(next, issuer);
  };
  start(key);
  onTestFinished(() => void vi.restoreAllMocks());
  return {
    settings: jwtSettings.parse({
      issuer,
      audience: AUDIENCE,
      jwks_url: `${issuer}${PATHS.jwks}`,
      roles: { 'shop-reader': 'reader' },
    }),
    token: () => requestToken(issuer),
    restart: start,
    stop: () => {
      answer = endConnection;
    },
  };
}

function endConnection({ socket }: IncomingMessage): void {
  socket.destroy();
}

function providerWith(key: IssuerKey, issuer: string): RequestListener {
  const { alg, kid, privateKey } = key;
  const resource = {
    scope: '',
    audience: AUDIENCE,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg } },
  } as const;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'app',
        client_secret: 'secret',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        id_token_signed_response_alg: alg,
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg, kid, use: 'sig' }] },
    routes: PATHS,
    cookies: { keys: ['cookie-key'] },
    ttl: { ClientCredentials: 3 * DAY_S },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        getResourceServerInfo: () => ({ ...resource, accessTokenTTL: 3 * DAY_S }),
      },
    },
    extraTokenClaims: () => ({
      roles: ['other', 'shop-reader'],
      realm_access: { roles: ['other', 'shop-clerk'] },
      region: 'north',
    }),
  });
  const handle = provider.callback();
  return (request, response) => void handle(request, response);
}

async function requestToken(issuer: string): Promise<string> {
  const reply = await fetch(`${issuer}${PATHS.token}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('app:secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await reply.json()) as { access_token: string };
  return token;
}

/** Serves HTTP until the test ends, and returns the origin. */
async function serve(handle: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    // A provider that begins anew would not know a connection that the caller kept.
    response.shouldKeepAlive = false;
    handle(request, response);
  });
  const port = await listenOnFreePort(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${port}`;
}
