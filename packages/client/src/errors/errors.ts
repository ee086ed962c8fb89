import type { Problem, ProblemCode } from '@proj/contract';

import { problemMessage } from './problem-message.ts';

/**
 * The base class of every failed request. Not in the family, and passed on as they are: a wrong
 * option or argument (`TypeError`, `RangeError`), the reason of an aborted signal, and what a
 * `token` function throws.
 *
 * No error nor its `cause` contains the token, unless the service sends it back or a custom `fetch`
 * puts it there.
 */
export class DynamicQueryError extends Error {
  override readonly name: string = 'DynamicQueryError';
}

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

/**
 * No complete reply arrived after all retries: the name did not resolve, the connection was refused
 * or broke, or CORS withheld the reply. The `cause` is the error of `fetch`.
 */
export class NetworkError extends DynamicQueryError {
  override readonly name = 'NetworkError';
  readonly url: string;

  constructor(url: string, options: { readonly cause: unknown }) {
    super(`${url}: expected a reply; got none: ${reasonOf(options.cause)}`, options);
    this.url = url;
  }
}

/** The innermost cause says more than the "fetch failed" around it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'fetch failed';
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

/** In milliseconds. */
export interface TimeLimits {
  /** For one attempt. */
  readonly timeoutMs: number;
  /** For all attempts and the waits between them. */
  readonly deadlineMs: number;
}

/**
 * An attempt passed `timeoutMs`, or all of them together `deadlineMs`. A timed out attempt is not
 * retried: the service would do the same slow work again.
 */
export class TimeoutError extends DynamicQueryError {
  override readonly name = 'TimeoutError';
  readonly url: string;
  readonly limits: TimeLimits;

  constructor(url: string, { timeoutMs, deadlineMs }: TimeLimits) {
    super(
      `${url}: expected a reply within ${timeoutMs} ms, and within ${deadlineMs} ms over all ` +
        'attempts; got none in time',
    );
    this.url = url;
    this.limits = { timeoutMs, deadlineMs };
  }
}

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

/**
 * An export ended with fewer or more records than the service announced. The `cause` is the error
 * that broke the reply off; absent where the reply ended as if whole.
 */
export class IncompleteExportError extends DynamicQueryError {
  override readonly name = 'IncompleteExportError';
  readonly received: bigint;
  readonly total: bigint;

  constructor(
    count: { readonly received: bigint; readonly total: bigint },
    options?: ErrorOptions,
  ) {
    const { received, total } = count;
    super(`The export is not whole: ${received} of ${total} records came`, options);
    this.received = received;
    this.total = total;
  }
}

/** The server repeats records under new page numbers, or has more pages than `maxPages`. */
export class EndlessListError extends DynamicQueryError {
  override readonly name = 'EndlessListError';
  /** The last page that was read. */
  readonly page: number;

  constructor(page: number, reason: string) {
    super(`Stopped after page ${page}: ${reason}`);
    this.page = page;
  }
}

/** A walk with `order: 'key'` is not possible for this model and token; the message says why. */
export class KeyOrderError extends DynamicQueryError {
  override readonly name = 'KeyOrderError';
  readonly model: string;

  constructor(model: string, reason: string) {
    super(`${model}: cannot be read in key order: ${reason}. Read it with order "page"`);
    this.model = model;
  }
}

/**
 * What is known about changes during a walk.
 *
 * - `version_changed`: `Data-Version` differs from the start. No proof: the change may be in
 *   records outside this list, or a server with versions of its own answered.
 * - `total_changed`: the list has another number of records. That is proof.
 * - `unverifiable`: the pages look alike, but the service sends no `Data-Version`: one record may
 *   have gone while another came.
 */
export type DriftReason = 'version_changed' | 'total_changed' | 'unverifiable';

export interface PageState {
  readonly page: number;
  /** Of the list when the page was read; `null` where that was not asked for. */
  readonly total: bigint | null;
  /** `null` when the service sent none. */
  readonly dataVersion: string | null;
}

/** The page at which something was noticed, and the first page, with which it was compared. */
export interface DriftReport extends PageState {
  readonly reason: DriftReason;
  readonly start: PageState;
}

const REASONS = {
  version_changed: 'the version of the data changed',
  total_changed: 'the number of records changed',
  unverifiable: 'the service does not say whether the data changed',
} as const;

/** The data changed during a walk with `onDrift: 'error'`: records may be missing or doubled. */
export class DriftError extends DynamicQueryError {
  override readonly name = 'DriftError';
  readonly report: DriftReport;

  constructor(report: DriftReport) {
    super(describeDrift(report));
    this.report = report;
  }
}

export function describeDrift({ reason, page, total, start }: DriftReport): string {
  const totals =
    total === null || start.total === null
      ? ''
      : ` (page ${page} is of ${total} records, page ${start.page} was of ${start.total})`;
  return (
    `Between page ${start.page} and page ${page} ${REASONS[reason]}${totals}; pages may ` +
    'miss records or repeat them'
  );
}
