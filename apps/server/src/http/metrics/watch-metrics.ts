import type { Engine } from '@proj/engine';
import type { Registry } from 'prom-client';

import type { OpenWatches } from '../reply/open-watches.ts';
import { counter, gauge } from './asked-metrics.ts';

/** Adds what watches do. */
export function addWatchMetrics(watches: OpenWatches, registry: Registry): void {
  registry.registerMetric(
    gauge('dynamic_query_watches_open', {
      help: 'Watches whose events are being sent; each has a connection.',
      read: () => watches.open,
    }),
  );
  registry.registerMetric(
    counter('dynamic_query_watch_events_total', {
      help: 'Events that were sent because a list had changed.',
      read: () => watches.events,
    }),
  );
}

/** Adds what watched lists cost. */
export function addWatchedMetrics(engine: Pick<Engine, 'watched'>, registry: Registry): void {
  registry.registerMetric(
    gauge('dynamic_query_watched_lists', {
      help: 'Lists that are watched; equal lists of callers who may see the same are one.',
      read: () => engine.watched().lists,
    }),
  );
  registry.registerMetric(
    counter('dynamic_query_watch_reads_total', {
      help: 'Times that a watched list was read because the data had changed.',
      read: () => engine.watched().reads,
    }),
  );
}
