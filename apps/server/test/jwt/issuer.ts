import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';

import { Provider } from 'oidc-provider';
import { onTestFinished, vi } from 'vitest';

import { type JwtSettings, jwtSettings } from '../../src/settings/groups/jwt.ts';
import { randomPort } from '../helper.ts';
import type { IssuerKey } from './tokens.ts';

export const AUDIENCE = 'dynamic-query';

/** Names resources; the audience of their tokens is another matter. */
const RESOURCE = 'https://shop.example/api';

/** As Keycloak has them. */
const PATHS = {
  jwks: '/protocol/openid-connect/certs',
  token: '/protocol/openid-connect/token',
} as const;

const DAY_S = 86_400;

/** Whatever runs until the test stops it. */
interface Stoppable {
  readonly stop: () => Promise<void>;
}

export interface TestIssuer {
  readonly settings: JwtSettings;
  /** An access token by the client credentials grant. */
  readonly token: () => Promise<string>;
  /** How often its keys were read. */
  readonly reads: () => number;
  /** Starts it anew on the same port, with another key. */
  readonly restart: (key: IssuerKey) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A real OpenID provider that ends with the test. */
export async function startIssuer(key: IssuerKey): Promise<TestIssuer> {
  const reading = { count: 0 };
  // It warns that it forgets everything when it stops, which is what a test wants.
  vi.spyOn(console, 'warn').mockReturnValue();
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  let running = await startProvider(key, issuer, reading);
  onTestFinished(() => {
    vi.restoreAllMocks();
    return running.stop();
  });
  return {
    settings: jwtSettings.parse({
      issuer,
      audience: AUDIENCE,
      jwks_url: `${issuer}${PATHS.jwks}`,
      roles: { 'shop-reader': 'reader' },
    }),
    token: () => requestToken(issuer),
    reads: () => reading.count,
    restart: async (next) => {
      await running.stop();
      running = await startProvider(next, issuer, reading);
    },
    stop: () => running.stop(),
  };
}

async function startProvider(
  key: IssuerKey,
  issuer: string,
  reading: { count: number },
): Promise<Stoppable> {
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
  provider.use(async (context, next) => {
    if (context.path === PATHS.jwks) reading.count += 1;
    await next();
  });
  const handle = provider.callback();
  return listenOn(
    Number(new URL(issuer).port),
    (request, response) => void handle(request, response),
  );
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

/** Serves HTTP on a port of 127.0.0.1. */
export async function listenOn(port: number, handle: RequestListener): Promise<Stoppable> {
  const server = createServer((request, response) => {
    // A restarted server would not know a connection that the caller kept.
    response.shouldKeepAlive = false;
    handle(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { stop: () => stop(server) };
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomPort();
    try {
      await (await listenOn(port, () => undefined)).stop();
      return port;
    } catch {
      // Somebody else has it.
    }
  }
}

/** A clock that a test may move. */
export function movableClock(): { now: () => number; move: (seconds: number) => void } {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    move: (seconds) => {
      offset += seconds * 1000;
    },
  };
}
