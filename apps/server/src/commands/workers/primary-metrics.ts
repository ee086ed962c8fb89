import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

import type { App } from '../../app.ts';
import { addLineMetrics } from '../../http/metrics/line-metrics.ts';
import { buildMetricsApp } from '../../http/metrics/metrics-app.ts';
import type { ProcessLog } from '../../log/process-log.ts';
import type { WorkerGroup } from './worker-group.ts';

interface PrimaryMetricsParts {
  readonly group: Pick<WorkerGroup, 'metrics' | 'restarts' | 'size'>;
  readonly logStream: ProcessLog;
}

/** What answers `GET /metrics` for all workers and this process. It does not listen. */
export function openPrimaryMetrics({ group, logStream }: PrimaryMetricsParts): Promise<App> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addLineMetrics({ log: logStream, audit: undefined }, registry);
  registry.registerMetric(runningWorkers(group));
  registry.registerMetric(restartedWorkers(group));
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

function restartedWorkers(group: Pick<WorkerGroup, 'restarts'>): Counter {
  return new Counter({
    name: 'dynamic_query_worker_restarts_total',
    help: 'How often a worker was started because another one had ended.',
    registers: [],
    collect() {
      this.reset();
      this.inc(group.restarts);
    },
  });
}
