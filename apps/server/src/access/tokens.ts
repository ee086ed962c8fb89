import { hash, randomBytes } from 'node:crypto';

import type { TokenSettings } from '../settings/groups/tokens.ts';

/** Accepted tokens by SHA-256; the tokens themselves are kept nowhere. */
export class TokenRegister {
  readonly #byHash: ReadonlyMap<string, TokenSettings | 'admin'>;

  /** @param adminToken one that may read everything, if any */
  constructor(tokens: readonly TokenSettings[], adminToken: string | undefined) {
    const admin = adminToken === undefined ? [] : [[sha256(adminToken), 'admin'] as const];
    this.#byHash = new Map<string, TokenSettings | 'admin'>([
      ...tokens.map((token) => [token.sha256, token] as const),
      ...admin,
    ]);
  }

  find(token: string, now = new Date()): TokenSettings | 'admin' | 'expired' | undefined {
    const known = this.#byHash.get(sha256(token));
    return known !== undefined && known !== 'admin' && isExpired(known.expires, now)
      ? 'expired'
      : known;
  }
}

/** 256 random bits, with a prefix that secret scanners can look for. */
export function generateToken(): string {
  return `dq_${randomBytes(32).toString('base64url')}`;
}

/** Whether the day of expiry (UTC) has come. */
export function isExpired(expires: string | undefined, now: Date): boolean {
  return expires !== undefined && now.getTime() >= Date.parse(expires);
}

/** In hexadecimal digits. */
export function sha256(token: string): string {
  return hash('sha256', token, 'hex');
}
