import type { LocalCounts } from './local-counts.ts';
import type { SharedCounts } from './shared-counts.ts';

/** What counts, here and across processes. */
export interface Counters {
  readonly local: LocalCounts;
  readonly shared: Pick<SharedCounts, 'consume'> | undefined;
  readonly now: () => number;
}
