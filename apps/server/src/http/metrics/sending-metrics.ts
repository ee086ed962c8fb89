import type { Registry } from 'prom-client';

import type { Sending } from '../plugins/slow-readers.ts';
import { counter, gauge } from './asked-metrics.ts';

/** Adds what waits for callers who do not read, and what became of them. */
export function addSendingMetrics({ unsent, watch }: Sending, registry: Registry): void {
  registry.registerMetric(
    gauge('dynamic_query_unsent_reply_bytes', {
      help: 'Bytes of large replies that wait for their callers to read them.',
      read: () => unsent.total,
    }),
  );
  registry.registerMetric(
    counter('dynamic_query_send_timeouts_total', {
      help: 'Connections that were closed because they took nothing of their replies.',
      read: () => watch.closed,
    }),
  );
}
