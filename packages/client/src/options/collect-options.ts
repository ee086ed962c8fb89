import type { PageTotal } from './total.ts';
import type { OnDrift, WalkOptions } from './walk-options.ts';

/** What collecting a list takes. */
export interface CollectOptions<Total extends PageTotal = bigint> extends Omit<
  WalkOptions<Total>,
  'onDrift'
> {
  /**
   * As for a walk, and `restart`: when the data changes, what was read is thrown away and the list
   * is read again from its start, `maxRestarts` times at most; then it is a `DriftError`. Where the
   * service sends no `Data-Version`, only a changed total is noticed: look at `drift` of the
   * result.
   *
   * @default 'warn' in page order, 'ignore' in key order
   */
  readonly onDrift?: OnDrift | 'restart';
  /**
   * How often `restart` begins again, 0 to 100.
   *
   * @default 3
   */
  readonly maxRestarts?: number;
}
