import type { DriftReason, DriftReport } from '../errors/errors.ts';
import { integerOption, type RequestOptions } from './client-options.ts';
import type { PageTotal } from './query.ts';

/** See `WalkOptions.onDrift`. */
export type OnDrift = 'ignore' | 'warn' | 'error' | ((report: DriftReport) => void);

/** Reported just before a page is delivered. */
export interface Progress<Total extends PageTotal = bigint> {
  /** Records delivered, this page included; without those before a later start. */
  readonly read: number;
  /** Of the list when this page was read; `null` as in `Page`. */
  readonly total: Total;
  readonly page: number;
  /** Of the list when this page was read; `null` without a total. */
  readonly pageCount: Total;
  /** `null`: all pages come from the same data, being one page or of one `Data-Version`. */
  readonly drift: DriftReason | null;
}

export interface WalkOptions<Total extends PageTotal = bigint> extends RequestOptions {
  /**
   * How many pages may be requested or waiting, 1 to 64. They are delivered in order; a busy
   * consumer pauses requests, and one that stops aborts them. The first page is read alone, to
   * learn how many there are; without a total some past the end may be requested. In key order it
   * is 1.
   *
   * @default 4
   */
  readonly concurrency?: number;
  /** Called with each page before it is delivered. Throwing ends the walk. @default nothing */
  readonly onProgress?: (progress: Progress<Total>) => void;
  /**
   * What to do when the data changes between the first page and another.
   *
   * - `ignore`: nothing; `onProgress` still reports it.
   * - `warn`: one `console.warn` for the walk.
   * - `error`: a `DriftError` in place of the page that differs.
   * - a function: called with the report, and may throw; at most once with `unverifiable`, for
   *   which nothing else is called, and once with a change.
   *
   * `restart` is for `all` only: a delivered page cannot be taken back.
   *
   * @default 'warn' in page order, 'ignore' in key order
   */
  readonly onDrift?: OnDrift;
}

export interface WalkSettings<Total extends PageTotal> {
  readonly signal: AbortSignal | undefined;
  readonly concurrency: number;
  readonly onProgress: (progress: Progress<Total>) => void;
  readonly onDrift: OnDrift;
}

/**
 * @throws {RangeError} when `concurrency` is out of its range.
 * @throws {TypeError} when `onDrift` is none of its values.
 */
export function readWalkOptions<Total extends PageTotal>(
  options: WalkOptions<Total>,
  order: 'page' | 'key',
): WalkSettings<Total> {
  const {
    signal,
    onProgress = () => undefined,
    onDrift = order === 'page' ? 'warn' : 'ignore',
  } = options;
  if (typeof onDrift !== 'function' && !['ignore', 'warn', 'error'].includes(onDrift)) {
    throw new TypeError(
      'onDrift: expected "ignore", "warn", "error" or a function; "restart" is for `all` only',
    );
  }
  return {
    signal,
    concurrency: integerOption('concurrency', options.concurrency ?? 4, [1, 64]),
    onProgress,
    onDrift,
  };
}

export interface CollectOptions<Total extends PageTotal = bigint> extends Omit<
  WalkOptions<Total>,
  'onDrift'
> {
  /**
   * As for a walk, or `restart`: discards what was read when the data changes and reads again, up
   * to `maxRestarts` times, then throws a `DriftError`. Without `Data-Version` only a changed total
   * is noticed: check `drift` of the result.
   *
   * @default 'warn' in page order, 'ignore' in key order
   */
  readonly onDrift?: OnDrift | 'restart';
  /** How often `restart` begins again, 0 to 100. @default 3 */
  readonly maxRestarts?: number;
}
