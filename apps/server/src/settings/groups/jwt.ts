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
  issuer: z.url({
    protocol: /^https?$/,
    error: 'expected the URL of the issuer, exactly as the claim `iss` of its tokens has it',
  }),
  audience: z.union([text, z.array(text).min(1)], 'expected a text, or a list of texts'),
  jwks_url: safeUrl,
  algorithms: z.array(z.enum(ALGORITHMS)).min(1).default(['RS256', 'ES256']),
  clock_skew_seconds: z.int().min(0).max(30).default(30),
  role_claim: text.default('roles'),
  roles: namedInOrder(text, text).refine((roles) => roles.size > 0, 'expected at least one role'),
  name_claim: text.default('sub'),
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
