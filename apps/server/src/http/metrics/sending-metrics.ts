import { Counter, Gauge, type Registry } from 'prom-client';

import type { Sending } from '../plugins/slow-readers.ts';

/** Adds what waits for callers who do not read, and what became of them. */
export function addSendingMetrics({ unsent, watch }: Sending, registry: Registry): void {
  registry.registerMetric(unsentBytes(unsent));
  registry.registerMetric(sendTimeouts(watch));
}

function unsentBytes(unsent: Sending['unsent']): Gauge {
  return new Gauge({
    name: 'dynamic_query_unsent_reply_bytes',
    help: 'Bytes of large replies that wait for their callers to read them.',
    registers: [],
    collect() {
      this.set(unsent.total);
    },
  });
}

function sendTimeouts(watch: Sending['watch']): Counter {
  return new Counter({
    name: 'dynamic_query_send_timeouts_total',
    help: 'Connections that were closed because they took nothing of their replies.',
    registers: [],
    collect() {
      this.reset();
      this.inc(watch.closed);
    },
  });
}
