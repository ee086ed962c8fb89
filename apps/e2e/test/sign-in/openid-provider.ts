import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { freePort } from '@proj/test-servers';
import { type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider';

/** How access tokens of a make of providers look. */
export interface ProviderShape {
  /** Whether access tokens are JWTs. */
  readonly hasJwts: boolean;
  /** The claims of a token beside the usual ones, for the roles of whoever signs in. */
  readonly claims: (roles: readonly string[]) => object;
  /** What tokens are meant for. */
  readonly audience: string | readonly string[];
  /** Where it has what, as paths. */
  readonly routes: Readonly<Record<'authorization' | 'token' | 'jwks' | 'end_session', string>>;
  /** Members that its metadata has or, where undefined, has not. */
  readonly discovery?: Configuration['discovery'];
  /** Whether it renews only for those who ask for `offline_access`. */
  readonly renewsOffline: boolean;
}

/** What of a provider a test may change while it runs. */
export interface ProviderState {
  roles: readonly string[];
  /** For how long access tokens are valid, in seconds. */
  lifetimeS: number;
  audience: string | readonly string[];
}

/** A real OpenID provider with a client for the explorer. */
export interface OpenIdProvider {
  readonly issuer: string;
  readonly state: ProviderState;
  /** How often tokens were asked for, by grant. */
  readonly grants: readonly string[];
  /** Ends what the provider has granted, so that it renews nothing. */
  readonly revoke: () => Promise<void>;
  /** Goes away, without forgetting anything. */
  readonly pause: () => Promise<void>;
  readonly resume: () => Promise<void>;
  /** Is as it was when it started, but for what browsers know of it. */
  readonly reset: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const CLIENT_ID = 'dynamic-query-explorer';

const DAY_S = 86_400;
const RESOURCE = 'https://shop.example/api';
const PRIVATE_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

/** Starts one for an explorer at this address. */
export async function startOpenIdProvider(
  pageAddress: string,
  shape: ProviderShape,
  path = '',
): Promise<OpenIdProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}${path}`;
  const { audience } = shape;
  const first: Readonly<ProviderState> = { roles: ['shop-clerk'], lifetimeS: 3600, audience };
  const state: ProviderState = { ...first };
  const provider = new Provider(issuer, configuration(pageAddress, shape, state));
  const grants: string[] = [];
  const granted: Pick<NonNullable<KoaContextWithOIDC['oidc']['entities']['Grant']>, 'destroy'>[] =
    [];
  provider.on('grant.success', ({ oidc }: KoaContextWithOIDC) => {
    grants.push(String(oidc.params?.['grant_type']));
    if (oidc.entities.Grant) granted.push(oidc.entities.Grant);
  });
  const handle = provider.callback();
  let server = await listen(port, handle, path);
  const pause = async (): Promise<void> => close(server);
  const resume = async (): Promise<void> => {
    server = await listen(port, handle, path);
  };
  return {
    issuer,
    state,
    grants,
    revoke: async () => {
      for (const grant of granted) await grant.destroy();
    },
    pause,
    resume,
    reset: async () => {
      Object.assign(state, first);
      [grants.length, granted.length] = [0, 0];
      if (!server.listening) await resume();
    },
    stop: pause,
  };
}

function configuration(
  pageAddress: string,
  { hasJwts, claims, routes, discovery, renewsOffline }: ProviderShape,
  state: ProviderState,
): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [pageAddress],
        post_logout_redirect_uris: [pageAddress],
      },
    ],
    jwks: {
      keys: [{ ...PRIVATE_KEY.export({ format: 'jwk' }), alg: 'RS256', kid: 'one', use: 'sig' }],
    },
    routes,
    ...(discovery && { discovery }),
    cookies: { keys: ['cookie-key'] },
    // The pages of an origin that a redirect URI has may ask for tokens.
    clientBasedCORS: () => true,
    issueRefreshToken: (_context, _client, code) =>
      !renewsOffline || code.scopes.has('offline_access'),
    ttl: {
      AccessToken: () => state.lifetimeS,
      AuthorizationCode: 600,
      Grant: DAY_S,
      IdToken: 3600,
      Interaction: 3600,
      RefreshToken: DAY_S,
      Session: DAY_S,
    },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    features: {
      devInteractions: { enabled: true },
      rpInitiatedLogout: { enabled: true },
      resourceIndicators: {
        enabled: hasJwts,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'Data.Read',
          audience: 'replaced',
          accessTokenFormat: 'jwt',
          accessTokenTTL: state.lifetimeS,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    extraTokenClaims: () => ({ ...claims(state.roles) }),
    formats: {
      customizers: {
        jwt: (_context, _token, { payload }) => {
          Object.assign(payload, { aud: state.audience });
        },
      },
    },
  };
}

async function listen(
  port: number,
  handle: ReturnType<Provider['callback']>,
  path: string,
): Promise<Server> {
  const server = createServer((request, response) => {
    // One that is started again would not know a connection that a browser has kept.
    response.shouldKeepAlive = false;
    // A provider below a path is mounted there.
    Object.assign(request, { originalUrl: request.url });
    if (path !== '' && request.url?.startsWith(path)) request.url = request.url.slice(path.length);
    void handle(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
