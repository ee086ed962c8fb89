import { collectDefaultMetrics, Registry } from 'prom-client';

import type { App } from '../../../app.ts';
import { buildMetricsApp } from '../../../http/metrics/metrics-app.ts';
import { addRows, type Row } from '../../../http/metrics/row.ts';
import { LINES } from '../../../http/metrics/service-rows.ts';
import type { ProcessLog } from '../../../log/process-log.ts';
import type { WorkerGroup } from './worker-group.ts';

type CountedGroup = Pick<WorkerGroup, 'metrics' | 'restarts' | 'silences' | 'size'>;

interface PrimaryMetricsParts {
  readonly group: CountedGroup;
  readonly logStream: ProcessLog;
}

const WORKERS: readonly Row<CountedGroup>[] = [
  ['dynamic_query_workers', 'Worker processes that run.', (group) => group.size],
  [
    'dynamic_query_worker_restarts_total',
    'How often a worker was started because another one had ended.',
    (group) => group.restarts,
  ],
  [
    'dynamic_query_worker_silences_total',
    'How often a worker did not answer the primary process for a second.',
    (group) => group.silences.count,
  ],
];

/** Answers `GET /metrics` for all workers and this process. Does not listen. */
export function openPrimaryMetrics({ group, logStream }: PrimaryMetricsParts): App {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addRows(registry, LINES, () => [[{ logStream, auditLog: undefined }, {}]]);
  addRows(registry, WORKERS, () => [[group, {}]]);
  return buildMetricsApp({
    contentType: registry.contentType,
    metrics: async () => group.metrics(await registry.getMetricsAsJSON()),
  });
}
