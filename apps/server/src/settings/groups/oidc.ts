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
  issuer: safeUrl,
  client_id: z.string().min(1),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'expected a scope, without spaces'))
    .refine((scopes) => scopes.includes('openid'), 'expected `openid` among them')
    .default(['openid']),
  parameters: named(
    z.string().refine((name) => !OWN_PARAMETERS.includes(name), 'the explorer sets it by itself'),
    z.string(),
  ).default({}),
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
