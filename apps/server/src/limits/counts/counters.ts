import type { LocalCounts } from './local-counts.ts';
import type { ServiceCounts } from './service-counts.ts';
import type { SharedCounts } from './shared-counts.ts';

export interface Counters {
  readonly local: LocalCounts;
  /** Replaces counts here, where several processes are one service. */
  readonly service?: Pick<ServiceCounts, 'consume'> | undefined;
  readonly shared: Pick<SharedCounts, 'consume'> | undefined;
  readonly now: () => number;
}
