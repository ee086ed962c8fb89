import { Counter, type Registry } from 'prom-client';

import type { RunningExports } from '../reply/running-exports.ts';
import { counter, gauge } from './asked-metrics.ts';

/** Adds what exports do; they are asked when the metrics are. */
export function addExportMetrics(exports: RunningExports, registry: Registry): void {
  registry.registerMetric(
    gauge('dynamic_query_exports_running', {
      help: 'Exports that run, or wait for a connection. Each that runs holds a snapshot.',
      read: () => exports.running,
    }),
  );
  registry.registerMetric(
    counter('dynamic_query_exports_completed_total', {
      help: 'Exports that were sent as a whole.',
      read: () => exports.completed,
    }),
  );
  registry.registerMetric(
    counter('dynamic_query_export_bytes_total', {
      help: 'Bytes of exports that were sent, those of exports that were cut included.',
      read: () => exports.bytes,
    }),
  );
  registry.registerMetric(cutExports(exports));
}

function cutExports(exports: RunningExports): Counter {
  return new Counter({
    name: 'dynamic_query_exports_cut_total',
    help:
      'Exports that were cut after their first byte, by the code of the reason; ' +
      '`cancelled` is a client that disconnected.',
    labelNames: ['reason'],
    registers: [],
    collect() {
      this.reset();
      for (const [reason, count] of exports.cut) this.inc({ reason }, count);
    },
  });
}
