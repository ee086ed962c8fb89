import { DynamicQueryError } from './dynamic-query-error.ts';

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
