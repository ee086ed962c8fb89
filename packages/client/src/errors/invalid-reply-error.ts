import { DynamicQueryError } from './dynamic-query-error.ts';

export interface ReplyMismatch {
  /** Place in the body (RFC 6901); the empty string is the body itself. */
  readonly pointer: string;
  /** What the contract or the request calls for. */
  readonly expected: string;
  /** Cut short where it is long. */
  readonly got: string;
}

/**
 * A reply that cannot be trusted: not JSON, not of the contract's shape, not an answer to this
 * request, or a redirect. It is not retried, and none of its data reaches the caller.
 */
export class InvalidReplyError extends DynamicQueryError {
  override readonly name = 'InvalidReplyError';
  readonly mismatch: ReplyMismatch;

  constructor(mismatch: ReplyMismatch, options?: ErrorOptions) {
    super(
      `Invalid reply: ${mismatch.pointer || 'the body'}: expected ${mismatch.expected}; got ` +
        mismatch.got,
      options,
    );
    this.mismatch = mismatch;
  }
}
