import * as z from 'zod';

import { isRecord } from '../settings/mappings.ts';

/** `$claims.region`, or `$claims.tenant.id` for a member of one. */
const CLAIM = /^\$claims((?:\.[\w:/-]+)+)$/;

export type Claims = Readonly<Record<string, unknown>>;

export const claimSettings = z.record(
  z.string(),
  z.json().refine(isExact, 'expected no number beyond 9007199254740991. Write it in quotes'),
);

/** A row filter with the claims of a token put in, and those that the token lacks. */
export interface ClaimedRows {
  readonly rows: unknown;
  readonly missing: readonly string[];
}

export function withClaims(rows: unknown, claims: Claims): ClaimedRows {
  const missing: string[] = [];
  const replaced = mapTexts(rows, (text) => {
    const name = namedClaim(text);
    if (name === undefined) return text;
    const value = claimOf(claims, name);
    if (value === undefined || value === null) missing.push(text);
    return value;
  });
  return { rows: replaced, missing };
}

export function namesClaim(value: unknown): boolean {
  return typeof value === 'string' && CLAIM.test(value);
}

/** The name of the claim that a text names; undefined where it names none. */
export function namedClaim(text: string): string | undefined {
  const [, path] = CLAIM.exec(text) ?? [];
  return path?.slice(1);
}

/** By name, which may have dots as in `https://example.com/roles`, else by path. */
export function claimOf(claims: Claims, name: string): unknown {
  const path = Object.hasOwn(claims, name) ? [name] : name.split('.');
  return path.reduce<unknown>(
    (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    claims,
  );
}

/** False for numbers that the parser may have rounded, since they may name another caller. */
export function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return typeof value !== 'object' || Object.values(value ?? {}).every(isExact);
}

function mapTexts(value: unknown, replace: (text: string) => unknown): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, mapTexts(member, replace)]),
  );
}
