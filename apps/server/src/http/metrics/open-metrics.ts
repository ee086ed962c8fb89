import type { FastifyInstance } from 'fastify';

import type { AuditLog } from '../../audit/audit-log.ts';
import type { KeyProofs } from '../../checks/key-proofs.ts';
import type { DatabasesHealth } from '../../served/health.ts';
import type { ServedDatabases } from '../../served/served-databases.ts';
import type { ProcessLog } from '../../log/process-log.ts';
import type { OpenWatches } from '../reply/open-watches.ts';
import type { RunningExports } from '../reply/running-exports.ts';
import type { Sending } from '../plugins/slow-readers.ts';
import { addAnswerMetrics, DatabasesRegistry } from './databases-registry.ts';
import { addExportMetrics } from './export-metrics.ts';
import { addKeyMetrics } from './key-metrics.ts';
import { addLineMetrics } from './line-metrics.ts';
import { buildMetricsApp } from './metrics-app.ts';
import { addSendingMetrics } from './sending-metrics.ts';
import { ServiceMetrics } from './service-metrics.ts';
import { addWatchedMetrics, addWatchMetrics } from './watch-metrics.ts';

/** What is counted. */
export interface MetricsParts {
  readonly databases: Pick<ServedDatabases, 'each' | 'onOpen'>;
  /** Undefined where there is one database. */
  readonly health: DatabasesHealth | undefined;
  readonly logStream: ProcessLog;
  readonly auditLog: AuditLog | undefined;
  readonly sending: Sending;
  readonly keyProofs: KeyProofs;
  readonly exports: RunningExports;
  readonly watches: OpenWatches;
}

export interface Metrics {
  /** What counts requests. */
  readonly counters: ServiceMetrics;
  /** What answers `GET /metrics`. It does not listen. */
  readonly app: FastifyInstance;
}

/** The metrics of a service. */
export async function openMetrics(parts: MetricsParts): Promise<Metrics> {
  const counters = countersOf(parts);
  const { registry } = counters;
  addLineMetrics({ log: parts.logStream, audit: parts.auditLog }, registry);
  addSendingMetrics(parts.sending, registry);
  addKeyMetrics(parts.keyProofs, registry);
  addExportMetrics(parts.exports, registry);
  addWatchMetrics(parts.watches, registry);
  return { counters, app: await buildMetricsApp(registry) };
}

function countersOf({ databases, health }: MetricsParts): ServiceMetrics {
  const [one] = databases.each();
  if (health === undefined && one !== undefined) {
    const counters = new ServiceMetrics(one.engine);
    addWatchedMetrics(one.engine, counters.registry);
    databases.onOpen(({ engine: { feed, replicas } }) => {
      if (feed !== undefined) counters.addFeed(feed);
      if (replicas !== undefined) counters.addReplicas(replicas);
    });
    return counters;
  }
  const registry = new DatabasesRegistry(databases.each);
  databases.onOpen((opened) => registry.add(opened));
  if (health !== undefined) addAnswerMetrics(health, registry);
  return new ServiceMetrics(undefined, registry);
}
