import type { ProviderShape } from './openid-provider.ts';

/** Roles of the realm in a claim of a claim; `account` is among whom tokens are meant for. */
export const KEYCLOAK: ProviderShape = {
  hasJwts: true,
  claims: (roles) => ({ realm_access: { roles: ['offline_access', ...roles] } }),
  audience: ['dynamic-query', 'account'],
  routes: {
    authorization: '/protocol/openid-connect/auth',
    token: '/protocol/openid-connect/token',
    jwks: '/protocol/openid-connect/certs',
    end_session: '/protocol/openid-connect/logout',
  },
  renewsOffline: false,
};

/** Roles at the top; the service is named by a scope, and renewal is one; PKCE is not in the metadata. */
export const ENTRA: ProviderShape = {
  hasJwts: true,
  claims: (roles) => ({ ver: '2.0', scp: 'Data.Read', roles }),
  audience: '5a0e9c5b-2f5c-4b6e-9a63-1f0d6f5d7c11',
  routes: {
    authorization: '/oauth2/v2.0/authorize',
    token: '/oauth2/v2.0/token',
    jwks: '/discovery/v2.0/keys',
    end_session: '/oauth2/v2.0/logout',
  },
  discovery: { code_challenge_methods_supported: undefined },
  renewsOffline: true,
};

/** Access tokens that only the provider can read. */
export const GOOGLE: ProviderShape = {
  hasJwts: false,
  claims: () => ({}),
  audience: [],
  routes: {
    authorization: '/o/oauth2/v2/auth',
    token: '/token',
    jwks: '/oauth2/v3/certs',
    end_session: '/logout',
  },
  renewsOffline: true,
};
