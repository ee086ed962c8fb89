import { HttpProblem } from '@proj/fastify/host';
import {
  errors,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose';

import type { JwtSettings } from '../../settings/groups/jwt.ts';
import { nameOf, roleOf } from './jwt-identity.ts';
import type { UnverifiedToken } from './jwt-unverified.ts';
import { KeySet } from './key-set.ts';
import type { IssuerLog } from '../issuer-document.ts';
import type { OnRefusal, Refusal } from '../refusals.ts';

export interface VerifiedToken {
  readonly name: string;
  readonly issuer: string;
  readonly role: string;
  /** Deeply frozen, because requests share them. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly expiresAt: number;
}

export interface IssuerParts {
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly log: IssuerLog;
  readonly onKeyRemoval: () => void;
  readonly onRefusal: OnRefusal;
}

type Reason = Refusal['reason'];

/** RFC 9068 §2.1, RFC 7519 §5.1; old tokens have no type. */
const TYPES = new Set([undefined, 'jwt', 'at+jwt', 'application/jwt', 'application/at+jwt']);

const MAX_TRIES = 4;

class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reason);
    this.reason = reason;
  }
}

export class Issuer {
  readonly #settings: JwtSettings;
  readonly #parts: IssuerParts;
  readonly #keySet: KeySet;

  constructor(settings: JwtSettings, parts: IssuerParts) {
    this.#settings = settings;
    this.#parts = parts;
    const { issuer, jwks_url: url } = settings;
    this.#keySet = new KeySet({ ...parts, issuer, url, onRemoval: parts.onKeyRemoval });
  }

  /** @throws {HttpProblem} `auth_unavailable` when there are no keys */
  async verify(
    token: string,
    unverified: UnverifiedToken,
    at: number,
  ): Promise<VerifiedToken | undefined> {
    try {
      this.#checkBeforeKeys(unverified, at);
      return this.#describe(await this.#verifySignature(token, unverified, at));
    } catch (error) {
      if (error instanceof HttpProblem) throw error;
      this.#parts.onRefusal({ reason: reasonOf(error), issuer: this.#settings.issuer });
      return undefined;
    }
  }

  close(): void {
    this.#keySet.close();
  }

  /** Before reading keys, so that a bad token does not wait. jose only checks the algorithm. */
  #checkBeforeKeys({ header, claims }: UnverifiedToken, at: number): void {
    const { algorithms, clock_skew_seconds: skew } = this.#settings;
    if (!algorithms.some((algorithm) => algorithm === header.alg))
      throw new RefusedError('algorithm');
    if (!TYPES.has(header.typ?.toLowerCase())) throw new RefusedError('type');
    if (claims.iat !== undefined && claims.iat > Math.floor(at / 1000) + skew)
      throw new RefusedError('issued in the future');
  }

  async #verifySignature(
    token: string,
    unverified: UnverifiedToken,
    at: number,
  ): Promise<JWTPayload> {
    const keys = await this.#keySet.keys();
    try {
      return await this.#verifyWith(keys, token, at);
    } catch (error) {
      const others = mayBeNewKey(error, unverified)
        ? await this.#keySet.otherThan(keys)
        : undefined;
      if (others === undefined) throw error;
      return await this.#verifyWith(others, token, at);
    }
  }

  async #verifyWith(keys: JWTVerifyGetKey, token: string, at: number): Promise<JWTPayload> {
    const { issuer, audience, algorithms, clock_skew_seconds: clockTolerance } = this.#settings;
    const options = {
      issuer,
      audience,
      algorithms,
      clockTolerance,
      currentDate: new Date(at),
    };
    try {
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys)
        return verifyWithAny(error, token, options);
      throw error;
    }
  }

  #describe(claims: JWTPayload): VerifiedToken {
    const name = nameOf(claims, this.#settings);
    if (name === undefined) throw new RefusedError('no name');
    const role = roleOf(claims, this.#settings);
    if (role === undefined) throw new RefusedError('no role');
    const expiresAt = (claims.exp ?? Number.NaN) * 1000;
    if (!Number.isFinite(expiresAt)) throw new RefusedError('no expiry');
    return Object.freeze({
      name,
      issuer: this.#settings.issuer,
      role,
      claims: deepFreeze(claims),
      expiresAt,
    });
  }
}

/** @throws what the last tried key was refused for */
async function verifyWithAny(
  keys: errors.JWKSMultipleMatchingKeys,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  let tries = 0;
  let failure: unknown;
  for await (const key of keys) {
    if (++tries > MAX_TRIES) break;
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (mismatch) {
      failure = mismatch;
    }
  }
  throw failure;
}

function mayBeNewKey(error: unknown, { header }: UnverifiedToken): boolean {
  if (error instanceof errors.JWKSNoMatchingKey) return true;
  return header.kid === undefined && error instanceof errors.JWSSignatureVerificationFailed;
}

/** Our words for jose's codes: its messages may quote the token. */
const JOSE_CODES: Readonly<Record<string, Reason>> = {
  ERR_JWT_EXPIRED: 'expired',
  ERR_JWT_INVALID: 'malformed',
  ERR_JWS_INVALID: 'malformed',
  ERR_JWKS_NO_MATCHING_KEY: 'unknown key',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'signature',
};

const CLAIMS: Readonly<Record<string, Reason>> = {
  aud: 'audience',
  exp: 'no expiry',
  nbf: 'not valid yet',
};

function reasonOf(error: unknown): Reason {
  if (error instanceof RefusedError) return error.reason;
  if (error instanceof errors.JWTClaimValidationFailed) return CLAIMS[error.claim] ?? 'malformed';
  return (error instanceof errors.JOSEError && JOSE_CODES[error.code]) || 'unusable key';
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null)
    Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
