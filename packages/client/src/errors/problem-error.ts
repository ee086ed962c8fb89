import type { Problem, ProblemCode } from '@proj/contract';

import { DynamicQueryError } from './dynamic-query-error.ts';
import { problemMessage } from './problem-message.ts';

/** One error of the request, with its place in the body, as the server lists it. */
export type RequestError = NonNullable<Problem['errors']>[number];

export interface ProblemFacts {
  readonly status: number;
  readonly problem: Problem | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
}

/**
 * The service answered with an error status, after any retries. The message names the first five
 * errors of the request, with suggestions.
 *
 * Behind a proxy that sends no problem document, `code` is `null` and `errors` is empty.
 */
export class ProblemError extends DynamicQueryError {
  override readonly name = 'ProblemError';
  /** The HTTP status, 400 to 599. */
  readonly status: number;
  /** `null` without a problem document. A newer server may send a code that is not listed. */
  readonly code: ProblemCode | (string & Record<never, never>) | null;
  /** For people; not API. Empty without a problem document. */
  readonly detail: string;
  /** The id under which the service logged the request; `null` when it sent none. */
  readonly requestId: string | null;
  /** Every error of the request with its JSON pointer (RFC 6901); empty for other problems. */
  readonly errors: readonly RequestError[];
  /** Milliseconds, at least 0; `null` when the service does not say. */
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
