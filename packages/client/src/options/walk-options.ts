import type { DriftReason, DriftReport } from '../errors/drift-report.ts';
import { integerOption } from './integer-option.ts';
import type { RequestOptions } from './request-options.ts';
import type { PageTotal } from './total.ts';

/** What to do about drift: see `WalkOptions.onDrift`. */
export type OnDrift = 'ignore' | 'warn' | 'error' | ((report: DriftReport) => void);

/** How far a walk has come, reported just before a page is delivered. */
export interface Progress<Total extends PageTotal = bigint> {
  /**
   * How many records were delivered, this page included; in a walk that began later, without those
   * before it.
   */
  readonly read: number;
  /** How many records the whole list had when this page was read; `null` as in `Page`. */
  readonly total: Total;
  /** Number of this page. */
  readonly page: number;
  /** How many pages the list had when this page was read; `null` without a total. */
  readonly pageCount: Total;
  /**
   * What is known about changes so far. `null` says that all pages come from the same data: there
   * is only one, or the service sent the same `Data-Version` with each.
   */
  readonly drift: DriftReason | null;
}

/** What a walk over many pages takes. */
export interface WalkOptions<Total extends PageTotal = bigint> extends RequestOptions {
  /**
   * How many pages may be requested or waiting to be delivered, 1 to 64. They are delivered in
   * order; while the consumer is busy, no further one is requested; when it stops, pending requests
   * are aborted. The first page is read alone, since it says how many there are. Without a total
   * pages are requested until one says that none follows, so that some past the end may be among
   * them. In key order it is 1.
   *
   * @default 4
   */
  readonly concurrency?: number;
  /**
   * Called with each page, just before it is delivered. What it throws ends the walk.
   *
   * @default nothing is called
   */
  readonly onProgress?: (progress: Progress<Total>) => void;
  /**
   * What to do when the data changes between the first page and another one.
   *
   * - `ignore`: nothing; `onProgress` still reports it.
   * - `warn`: one `console.warn` for the walk.
   * - `error`: the walk ends with a `DriftError` in place of the page that differs.
   * - a function: it is called with the report, and may throw; at most twice in a walk, once with
   *   `unverifiable` and once with a change. Only a function is called for `unverifiable`: it is no
   *   warning and no error.
   *
   * `restart` is for `all` only, since a page that was delivered cannot be taken back.
   *
   * @default 'warn' in page order, 'ignore' in key order
   */
  readonly onDrift?: OnDrift;
}

/** The options of a walk as the code inside uses them. */
export interface WalkSettings<Total extends PageTotal> {
  readonly signal: AbortSignal | undefined;
  readonly concurrency: number;
  readonly onProgress: (progress: Progress<Total>) => void;
  readonly onDrift: OnDrift;
}

/**
 * Completes the options of a walk.
 *
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
