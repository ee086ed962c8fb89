import { named } from '@proj/fastify/settings';
import * as z from 'zod';

import type { JwtSettings } from './jwt.ts';
import { safeUrl } from './safe-url.ts';

/** Parameters that the page sets itself, each for one sign-in only. */
const OWN_PARAMETERS = [
  'client_id',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'redirect_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
];

export const oidcSettings = z.strictObject({
  issuer: safeUrl.describe(
    'The OpenID provider, exactly as `/.well-known/openid-configuration` below it has `issuer`. ' +
      'An entry of `jwt` has the same issuer: it says which tokens are taken, and their roles.',
  ),
  client_id: z
    .string()
    .min(1)
    .describe(
      'The client that is registered there for the explorer: a public one, without a secret, ' +
        'with the address of the explorer as its redirect URI.',
    ),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'expected a scope, without spaces'))
    .refine((scopes) => scopes.includes('openid'), 'expected `openid` among them')
    .default(['openid'])
    .describe(
      'What is asked for. Some providers renew tokens only with `offline_access`, and some name ' +
        'the service by a scope of its own.',
    ),
  parameters: named(
    z.string().refine((name) => !OWN_PARAMETERS.includes(name), 'the explorer sets it by itself'),
    z.string(),
  )
    .default({})
    .describe(
      'Further parameters of the request to sign in, such as `audience` of Auth0: texts by name.',
    ),
});

export type OidcSettings = z.output<typeof oidcSettings>;

/** Why the service would refuse every token of the sign-in, if it would. */
export function oidcIssuerError(
  { issuer }: Pick<OidcSettings, 'issuer'>,
  jwt: readonly Pick<JwtSettings, 'issuer'>[],
): string | undefined {
  const issuers = jwt.map((one) => one.issuer);
  if (issuers.includes(issuer)) return undefined;
  const similar = issuers.find((one) => withoutSlash(one) === withoutSlash(issuer));
  return similar === undefined
    ? 'no entry of `jwt` has this issuer, so that its tokens would be refused. ' +
        'Add one with `issuer`, `audience`, `jwks_url` and `roles`: see docs/guides/sign-in.md'
    : `\`jwt\` has this issuer as ${similar}. Write it in both as its tokens have it (\`iss\`).`;
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
