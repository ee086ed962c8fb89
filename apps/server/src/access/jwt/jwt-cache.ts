import { hash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { VerifiedToken } from './jwt-issuer.ts';

const MAX_TOKENS = 5000;

/** Of all entries in memory: a token may carry kilobytes of claims. */
const MAX_BYTES = 32 * 2 ** 20;

/** Per token beside its claims, for its grant. */
const TOKEN_BYTES = 4000;

/** Memory of objects per byte of their JSON text. */
const CLAIMS_FACTOR = 5;

const MAX_AGE_MS = 60_000;

interface Entry {
  readonly token: VerifiedToken;
  readonly from: number;
  readonly until: number;
}

/** Recently verified tokens by hash: a lookup costs a hundredth of a verification. */
export class TokenCache {
  readonly #entries = new LRUCache<string, Entry>({
    max: MAX_TOKENS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ token }) =>
      TOKEN_BYTES + JSON.stringify(token.claims).length * CLAIMS_FACTOR,
  });
  #age = 0;

  /** Counts the times it was emptied. Verifications that began earlier are not kept. */
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

/** A hash; the token itself is kept nowhere. */
export function cacheKey(token: string): string {
  return hash('sha256', token, 'base64url');
}
