/** Why a valid token opens nothing: its role, its claims, or unreadable keys of its issuer. */
export type AccessErrorCode = 'forbidden' | 'claim_missing' | 'auth_unavailable';

/** Refuses access although the token is valid, by a code of the contract's problems. */
export class AccessError extends Error {
  override readonly name = 'AccessError';
  readonly code: AccessErrorCode;

  constructor(code: AccessErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
