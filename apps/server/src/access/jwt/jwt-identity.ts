import { claimOf, type Claims } from '@proj/fastify/settings';

import type { JwtSettings } from '../../settings/groups/jwt.ts';

/** OpenID Connect Core §2: `sub` has at most 255 characters. */
const MAX_NAME_LENGTH = 255;

export function nameOf(claims: Claims, { name_claim: claim }: JwtSettings): string | undefined {
  const name = claimOf(claims, claim);
  return typeof name === 'string' && name !== '' && name.length <= MAX_NAME_LENGTH
    ? name
    : undefined;
}

export function roleOf(
  claims: Claims,
  { role_claim: claim, roles }: JwtSettings,
): string | undefined {
  const values = new Set(listOf(claimOf(claims, claim), claim));
  return [...roles].find(([value]) => values.has(value))?.[1];
}

function listOf(value: unknown, claim: string): readonly unknown[] {
  if (typeof value !== 'string') return Array.isArray(value) ? value : [];
  // RFC 8693 §4.2: a scope is a list separated by spaces. Entra calls it `scp`.
  return claim === 'scope' || claim === 'scp' ? value.split(' ') : [value];
}
