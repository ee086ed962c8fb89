import type { PageTotal } from './total.ts';
import type { OnDrift, WalkOptions } from './walk-options.ts';

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
