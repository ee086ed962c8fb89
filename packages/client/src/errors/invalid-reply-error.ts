import { DynamicQueryError } from './dynamic-query-error.ts';

/** What is wrong with a reply. */
export interface ReplyMismatch {
  /** Where in the body (RFC 6901); the empty string is the body itself. */
  readonly pointer: string;
  /** What the contract or the request calls for. */
  readonly expected: string;
  /** What came instead, cut short where it is long. */
  readonly got: string;
}

/**
 * A reply came that cannot be trusted: not JSON, not of the shape of the contract, not an answer to
 * this request, or a redirect, which is never followed. It is not retried. Nothing of such a reply
 * reaches the caller as data.
 */
export class InvalidReplyError extends DynamicQueryError {
  override readonly name = 'InvalidReplyError';
  /** The first mismatch. */
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
