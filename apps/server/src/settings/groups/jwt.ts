import { namedInOrder } from '@proj/fastify/settings';
import * as z from 'zod';

import { safeUrl } from './safe-url.ts';

/** Allowed signatures. All have a public key: a shared secret is never one. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const satisfies readonly string[];

const text = z.string().min(1);

export const jwtSettings = z.strictObject({
  issuer: z
    .url({
      protocol: /^https?$/,
      error: 'expected the URL of the issuer, exactly as the claim `iss` of its tokens has it',
    })
    .describe('Who issues the tokens: exactly the claim `iss`, down to a slash at the end.'),
  audience: z
    .union([text, z.array(text).min(1)], 'expected a text, or a list of texts')
    .describe(
      'Whom the tokens must be meant for (`aud`): one name, or a list of which one must match.',
    ),
  jwks_url: safeUrl.describe(
    "Where the issuer's keys are read: a JWK set, over https, or over http on a loopback address.",
  ),
  algorithms: z
    .array(z.enum(ALGORITHMS))
    .min(1)
    .default(['RS256', 'ES256'])
    .describe(`How tokens may be signed: ${ALGORITHMS.map((name) => `\`${name}\``).join(', ')}.`),
  clock_skew_seconds: z
    .int()
    .min(0)
    .max(30)
    .default(30)
    .describe("How far the issuer's clock may be off, in seconds, for `exp`, `nbf` and `iat`."),
  role_claim: text
    .default('roles')
    .describe(
      'The claim that holds a role or a list of roles; a member of another by its path: ' +
        '`realm_access.roles`.',
    ),
  roles: namedInOrder(text, text)
    .refine((roles) => roles.size > 0, 'expected at least one role')
    .describe(
      'Our role for each value of the role claim. ' +
        'Of several that match, the first that is listed here is taken.',
    ),
  name_claim: text.default('sub').describe('The claim that names the caller in logs and limits.'),
});

/** Each issuer is named once, because its entry checks its tokens. */
export const jwtIssuers = z
  .array(jwtSettings)
  .refine(
    (all) => new Set(all.map(({ issuer }) => issuer)).size === all.length,
    'expected each issuer once',
  )
  .default([]);

export type JwtSettings = z.output<typeof jwtSettings>;
