import { Counter, Gauge, type Registry } from 'prom-client';

import type { RunningExports } from '../reply/running-exports.ts';

/** Adds what exports do; they are asked when the metrics are. */
export function addExportMetrics(exports: RunningExports, registry: Registry): void {
  registry.registerMetric(
    new Gauge({
      name: 'dynamic_query_exports_running',
      help: 'Exports that run, or wait for a connection. Each that runs holds a snapshot.',
      registers: [],
      collect() {
        this.set(exports.running);
      },
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

interface Figure {
  readonly help: string;
  readonly read: () => number;
}

function counter(name: string, { help, read }: Figure): Counter {
  return new Counter({
    name,
    help,
    registers: [],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
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
