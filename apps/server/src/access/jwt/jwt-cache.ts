import { hash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { VerifiedToken } from './jwt-issuer.ts';

const MAX_TOKENS = 5000;

/** What all of them may take in memory, in bytes: a token may carry kilobytes of claims. */
const MAX_BYTES = 32 * 2 ** 20;

/** Beside its claims: what the token may see. */
const TOKEN_BYTES = 4000;

/** Objects take so many times the bytes of their JSON text. */
const CLAIMS_FACTOR = 5;

/** How long a token is known, at most. */
const MAX_AGE_MS = 60_000;

interface Entry {
  readonly token: VerifiedToken;
  readonly from: number;
  readonly until: number;
}

/** Tokens that were verified lately, by their hash, which costs a hundredth of a verification. */
export class TokenCache {
  readonly #entries = new LRUCache<string, Entry>({
    max: MAX_TOKENS,
    maxSize: MAX_BYTES,
    sizeCalculation: bytesOf,
  });
  #age = 0;

  /** How often it was emptied. What began to be verified before that is not kept. */
  get age(): number {
    return this.#age;
  }

  find(key: string, at: number): VerifiedToken | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && entry.from <= at && at < entry.until ? entry.token : undefined;
  }

  keep(key: string, token: VerifiedToken, at: number): void {
    const until = Math.min(token.expiresAt, at + MAX_AGE_MS);
    if (at < until) this.#entries.set(key, { token, from: at, until });
  }

  clear(): void {
    this.#age += 1;
    this.#entries.clear();
  }
}

function bytesOf({ token }: Entry): number {
  return TOKEN_BYTES + JSON.stringify(token.claims).length * CLAIMS_FACTOR;
}

/** The key of a token; the token itself is kept nowhere. */
export function cacheKey(token: string): string {
  return hash('sha256', token, 'base64url');
}
