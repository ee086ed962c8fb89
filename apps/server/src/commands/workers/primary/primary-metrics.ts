import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

import type { App } from '../../../app.ts';
import { addLineMetrics } from '../../../http/metrics/line-metrics.ts';
import { buildMetricsApp } from '../../../http/metrics/metrics-app.ts';
import type { ProcessLog } from '../../../log/process-log.ts';
import type { WorkerGroup } from './worker-group.ts';

interface PrimaryMetricsParts {
  readonly group: Pick<WorkerGroup, 'metrics' | 'restarts' | 'silences' | 'size'>;
  readonly logStream: ProcessLog;
}

/** What answers `GET /metrics` for all workers and this process. It does not listen. */
export function openPrimaryMetrics({ group, logStream }: PrimaryMetricsParts): Promise<App> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addLineMetrics({ log: logStream, audit: undefined }, registry);
  registry.registerMetric(runningWorkers(group));
  const restarts = counterOf(
    'dynamic_query_worker_restarts_total',
    'How often a worker was started because another one had ended.',
    () => group.restarts,
  );
  const silences = counterOf(
    'dynamic_query_worker_silences_total',
    'How often a worker did not answer the primary process for a second.',
    () => group.silences.count,
  );
  registry.registerMetric(restarts);
  registry.registerMetric(silences);
  return buildMetricsApp({
    contentType: registry.contentType,
    metrics: async () => group.metrics(await registry.getMetricsAsJSON()),
  });
}

function runningWorkers(group: Pick<WorkerGroup, 'size'>): Gauge {
  return new Gauge({
    name: 'dynamic_query_workers',
    help: 'Worker processes that run.',
    registers: [],
    collect() {
      this.set(group.size);
    },
  });
}

/** A counter of what the group counts. */
function counterOf(name: string, help: string, count: () => number): Counter {
  return new Counter({
    name,
    help,
    registers: [],
    collect() {
      this.reset();
      this.inc(count());
    },
  });
}
