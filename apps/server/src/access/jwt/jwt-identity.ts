import { claimOf } from '@proj/fastify/settings';

import type { JwtSettings } from '../../settings/groups/jwt.ts';

export type TokenClaims = Readonly<Record<string, unknown>>;

/** OpenID Connect Core §2: `sub` has at most 255 characters. */
const MAX_NAME_LENGTH = 255;

export function nameOf(claims: TokenClaims, { name_claim: path }: JwtSettings): string | undefined {
  const name = claimAt(claims, path);
  return typeof name === 'string' && name !== '' && name.length <= MAX_NAME_LENGTH
    ? name
    : undefined;
}

export function roleOf(
  claims: TokenClaims,
  { role_claim: path, roles }: JwtSettings,
): string | undefined {
  const values = new Set(listOf(claimAt(claims, path), path));
  return [...roles].find(([value]) => values.has(value))?.[1];
}

function listOf(value: unknown, path: string): readonly unknown[] {
  if (typeof value !== 'string') return Array.isArray(value) ? value : [];
  // RFC 8693 §4.2: a scope is a list separated by spaces. Entra calls it `scp`.
  return path === 'scope' || path === 'scp' ? value.split(' ') : [value];
}

/** By name, which may have dots as in `https://example.com/roles`, else by path. */
function claimAt(claims: TokenClaims, path: string): unknown {
  return Object.hasOwn(claims, path) ? claims[path] : claimOf(claims, path.split('.'));
}
