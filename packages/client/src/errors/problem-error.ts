import type { Problem, ProblemCode } from '@proj/contract';

import { DynamicQueryError } from './dynamic-query-error.ts';
import { problemMessage } from './problem-message.ts';

/** One error of the request, with its place in the body, as the server lists it. */
export type RequestError = NonNullable<Problem['errors']>[number];

/** What a {@link ProblemError} is made from. */
export interface ProblemFacts {
  readonly status: number;
  readonly problem: Problem | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
}

/**
 * The service answered with an error status, after the retries that such a status gets.
 *
 * The message names each error of the request, the first five of them, with what may be meant.
 *
 * A proxy on the way may answer without a problem document; then `code` is `null` and `errors` is
 * empty.
 */
export class ProblemError extends DynamicQueryError {
  override readonly name = 'ProblemError';
  /** The HTTP status, 400 to 599. */
  readonly status: number;
  /**
   * What is wrong, for programs; `null` without a problem document. A newer server may send a code
   * that is not listed.
   */
  readonly code: ProblemCode | (string & Record<never, never>) | null;
  /** What is wrong, for people; not API. Empty without a problem document. */
  readonly detail: string;
  /** The id under which the service logged the request; `null` when it sent none. */
  readonly requestId: string | null;
  /**
   * Every error of the request with its JSON pointer (RFC 6901); empty where the problem is not in
   * the request.
   */
  readonly errors: readonly RequestError[];
  /**
   * How long the service asks to wait, in milliseconds of at least 0; `null` when it does not say.
   */
  readonly retryAfterMs: number | null;

  constructor(facts: ProblemFacts) {
    super(problemMessage(facts));
    this.status = facts.status;
    this.code = facts.problem?.code ?? null;
    this.detail = facts.problem?.detail ?? '';
    this.requestId = facts.requestId;
    this.errors = facts.problem?.errors ?? [];
    this.retryAfterMs = facts.retryAfterMs;
  }
}
