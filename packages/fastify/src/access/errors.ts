/**
 * Why a valid token opens nothing: its role or its claims do not let it, or its issuer's keys
 * cannot be read.
 */
export type AccessErrorCode = 'forbidden' | 'claim_missing' | 'auth_unavailable';

/**
 * Access that is refused although nothing is wrong with the token, by a code of the contract's
 * problems.
 */
export class AccessError extends Error {
  override readonly name = 'AccessError';
  readonly code: AccessErrorCode;

  constructor(code: AccessErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
