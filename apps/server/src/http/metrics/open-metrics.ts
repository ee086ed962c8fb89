import type { FastifyInstance } from 'fastify';

import type { DatabasesHealth } from '../../served/health.ts';
import type { OpenDatabases } from '../../served/served-databases.ts';
import { addDatabaseMetrics } from './database-rows.ts';
import { buildMetricsApp } from './metrics-app.ts';
import { addRows } from './row.ts';
import { ServiceMetrics } from './service-metrics.ts';
import { ANSWERS, type CountedService, LINES, type Outputs, SERVICE } from './service-rows.ts';

export interface MetricsParts extends CountedService, Outputs {
  readonly databases: OpenDatabases;
  /** Undefined where there is one database. */
  readonly health: DatabasesHealth | undefined;
}

export interface Metrics {
  readonly counters: ServiceMetrics;
  /** Answers `GET /metrics`. Does not listen. */
  readonly app: FastifyInstance;
}

export function openMetrics(parts: MetricsParts): Metrics {
  const { databases, health } = parts;
  const counters = new ServiceMetrics();
  const { registry } = counters;
  addDatabaseMetrics(databases, registry);
  addRows(registry, LINES, () => [[parts, {}]]);
  addRows(registry, SERVICE, () => [[parts, {}]]);
  if (health !== undefined) addRows(registry, ANSWERS, () => [[health, {}]]);
  return { counters, app: buildMetricsApp(registry) };
}
