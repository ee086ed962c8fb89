import type { Engine } from '@proj/engine';
import { Counter, Gauge, type Registry } from 'prom-client';

import type { OpenWatches } from '../reply/open-watches.ts';

/** What is counted of watches. */
interface CountedWatches {
  readonly engine: Pick<Engine, 'watched'>;
  readonly watches: OpenWatches;
}

/** Adds what watches do; they are asked when the metrics are. */
export function addWatchMetrics({ engine, watches }: CountedWatches, registry: Registry): void {
  const gauges = {
    dynamic_query_watches_open: {
      help: 'Watches whose events are being sent; each has a connection.',
      read: () => watches.open,
    },
    dynamic_query_watched_lists: {
      help: 'Lists that are watched; equal lists of callers who may see the same are one.',
      read: () => engine.watched().lists,
    },
  };
  const counters = {
    dynamic_query_watch_events_total: {
      help: 'Events that were sent because a list had changed.',
      read: () => watches.events,
    },
    dynamic_query_watch_reads_total: {
      help: 'Times that a watched list was read because the data had changed.',
      read: () => engine.watched().reads,
    },
  };
  for (const [name, { help, read }] of Object.entries(gauges))
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read());
        },
      }),
    );
  for (const [name, { help, read }] of Object.entries(counters))
    registry.registerMetric(
      new Counter({
        name,
        help,
        registers: [],
        collect() {
          this.reset();
          this.inc(read());
        },
      }),
    );
}
