import type { JwtSettings } from '../../settings/groups/jwt.ts';
import { cacheKey, TokenCache } from './jwt-cache.ts';
import { Issuer, type VerifiedToken } from './jwt-issuer.ts';
import { looksLikeJwt, readUnverified } from './jwt-unverified.ts';
import type { IssuerLog } from '../issuer-document.ts';
import type { OnRefusal } from '../refusals.ts';

export type { VerifiedToken };

const SILENT: IssuerLog = { info: () => undefined, warn: () => undefined };

export interface JwtVerifierParts {
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
  /** @default no log */
  readonly log?: IssuerLog;
  /** @default not reported */
  readonly onRefusal?: OnRefusal;
}

export interface JwtVerifier {
  readonly looksLikeJwt: (token: string) => boolean;
  /** @throws {HttpProblem} `auth_unavailable` when the issuer's keys cannot be had */
  readonly verify: (token: string) => Promise<VerifiedToken | undefined>;
  readonly close: () => void;
}

/** Starts reading the keys of all issuers. */
export function createJwtVerifier(
  settings: readonly JwtSettings[],
  parts: JwtVerifierParts = {},
): JwtVerifier {
  const { fetch = globalThis.fetch, now = Date.now, log = SILENT } = parts;
  const { onRefusal = () => undefined } = parts;
  const cache = new TokenCache();
  const issuerParts = { fetch, now, log, onRefusal, onKeyRemoval: () => cache.clear() };
  const issuers = new Map(settings.map((one) => [one.issuer, new Issuer(one, issuerParts)]));

  async function verify(token: string): Promise<VerifiedToken | undefined> {
    if (!looksLikeJwt(token)) return undefined;
    const at = now();
    const key = cacheKey(token);
    const known = cache.find(key, at);
    if (known !== undefined) return known;
    const unverified = readUnverified(token);
    // Only issuers of the settings count: nothing that a token says is looked up elsewhere.
    const issuer = unverified === undefined ? undefined : issuers.get(unverified.claims.iss);
    if (unverified === undefined || issuer === undefined) {
      onRefusal({ reason: unverified === undefined ? 'malformed' : 'issuer' });
      return undefined;
    }
    const { age } = cache;
    const verified = await issuer.verify(token, unverified, at);
    if (verified !== undefined && cache.age === age) cache.keep(key, verified, at);
    return verified;
  }

  const close = (): void => issuers.forEach((issuer) => issuer.close());
  return { looksLikeJwt, verify, close };
}
