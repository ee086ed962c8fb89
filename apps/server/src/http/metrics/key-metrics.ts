import type { Registry } from 'prom-client';

import type { KeyProofs } from '../../checks/key-proofs.ts';
import { gauge } from './asked-metrics.ts';

/** Adds how many keys that the settings declare were found to be none. */
export function addKeyMetrics(proofs: Pick<KeyProofs, 'broken'>, registry: Registry): void {
  registry.registerMetric(
    gauge('dynamic_query_broken_keys', {
      help:
        'Keys that the settings declare and that were found not to be unique, ' +
        'or to hold NULL, after the start.',
      read: () => proofs.broken,
    }),
  );
}
