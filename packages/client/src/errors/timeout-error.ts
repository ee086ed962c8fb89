import { DynamicQueryError } from './dynamic-query-error.ts';

/** The limits that were in force, in milliseconds. */
export interface TimeLimits {
  /** For one attempt. */
  readonly timeoutMs: number;
  /** For all attempts and the waits between them. */
  readonly deadlineMs: number;
}

/**
 * An attempt passed `timeoutMs`, or all attempts in sum passed `deadlineMs`. An attempt that
 * timed out is not repeated: the service would be given the same slow work again.
 */
export class TimeoutError extends DynamicQueryError {
  override readonly name = 'TimeoutError';
  /** The address that was asked. */
  readonly url: string;
  /** The limits that were in force. */
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
