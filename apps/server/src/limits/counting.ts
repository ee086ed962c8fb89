import type { LocalCounts } from './local-counts.ts';
import type { SharedCounts } from './shared-counts.ts';

/** Where is counted. */
export interface Counting {
  readonly local: LocalCounts;
  readonly shared: Pick<SharedCounts, 'charge'> | undefined;
  readonly now: () => number;
}
