import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Grant } from '@proj/engine';

import type { TokenSettings } from '../settings/access.ts';

/** Who asks, and what they may see. */
export interface Principal {
  readonly name: string;
  /** Opaque. Unlike names, which an issuer may give to somebody who is called like a token, no two principals share it. */
  readonly id: string;
  /** Null for the operator's own token. */
  readonly role: string | null;
  readonly grant: Grant;
}

/** A token that may be presented. Only its hash is kept. */
export interface KnownToken {
  readonly sha256: Buffer;
  /** What the settings say of it; undefined for the operator's own, which may read everything. */
  readonly token: Omit<TokenSettings, 'sha256'> | undefined;
}

/** The operator's own token. */
export function knownToken(token: string): KnownToken {
  return { sha256: sha256(token), token: undefined };
}

/** A new token of 256 random bits, with a prefix that secret scanners can look for. */
export function makeToken(): string {
  return `dq_${randomBytes(32).toString('base64url')}`;
}

/** Tokens that were found among others once, by those. No token that is not valid gets here. */
const FOUND = new WeakMap<readonly KnownToken[], Map<string, KnownToken>>();

/** The entry of a token that is not expired. */
export function findToken(tokens: readonly KnownToken[], token: string, now = new Date()): KnownToken | undefined {
  const found = FOUND.get(tokens)?.get(token) ?? searchToken(tokens, token);
  return found !== undefined && !isExpired(found.token?.expires, now) ? found : undefined;
}

/** Hashes are compared in constant time, so that a reply's time tells nothing about them. */
function searchToken(tokens: readonly KnownToken[], token: string): KnownToken | undefined {
  const digest = sha256(token);
  const [found] = tokens.filter((known) => timingSafeEqual(known.sha256, digest));
  if (found !== undefined) FOUND.set(tokens, (FOUND.get(tokens) ?? new Map<string, KnownToken>()).set(token, found));
  return found;
}

/** Whether the day of expiry (UTC) has come. */
export function isExpired(expires: string | undefined, now: Date): boolean {
  return expires !== undefined && now.getTime() >= Date.parse(expires);
}

/** The token of an `Authorization` header (RFC 6750 §2.1), or undefined when it has none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization ?? '')?.[1];
}

/** The SHA-256 of a token. */
export function sha256(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
