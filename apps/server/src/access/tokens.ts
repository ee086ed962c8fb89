import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Grant } from '@proj/engine';

/** Who asks, and what they may see. */
export interface Principal {
  readonly name: string;
  readonly grant: Grant;
}

/** A token that the operator set. Only its hash is kept. */
export interface KnownToken {
  readonly sha256: Buffer;
  readonly principal: Principal;
}

/** Knows a token for later comparison. */
export function knownToken(token: string, principal: Principal): KnownToken {
  return { sha256: sha256(token), principal };
}

/** A new token of 256 random bits, with a prefix that secret scanners can look for. */
export function makeToken(): string {
  return `dq_${randomBytes(32).toString('base64url')}`;
}

/** Finds the principal of a token. Hashes are compared in constant time, so that a reply's time tells nothing about them. */
export function findPrincipal(tokens: readonly KnownToken[], token: string): Principal | undefined {
  const digest = sha256(token);
  return tokens.filter((known) => timingSafeEqual(known.sha256, digest))[0]?.principal;
}

/** The token of an `Authorization` header (RFC 6750 §2.1), or undefined when it has none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization ?? '')?.[1];
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
