import type { ReplicaReads, ReplicaStatus, ReplicaWatch } from '@proj/engine';
import { Counter, Gauge, type Registry } from 'prom-client';

type Kind = typeof Gauge | typeof Counter;

/** A figure of each replica, by the name that it has after `dynamic_query_replica_`. */
interface Figure {
  readonly kind: Kind;
  readonly name: string;
  readonly help: string;
  /** What one service shows of the figures of its workers. */
  readonly ofWorkers: 'sum' | 'min' | 'max';
  readonly read: (status: ReplicaStatus) => number;
}

const FIGURES: readonly Figure[] = [
  {
    kind: Gauge,
    name: 'usable',
    help: 'Whether reads may go to a replica: 1 if so.',
    ofWorkers: 'min',
    read: ({ problem }) => (problem === undefined ? 1 : 0),
  },
  {
    kind: Gauge,
    name: 'lag_seconds',
    help: 'How far a replica is behind the primary at most; infinite where that is not known.',
    ofWorkers: 'max',
    read: ({ lagSeconds }) => lagSeconds,
  },
  {
    kind: Counter,
    name: 'reads_total',
    help: 'Queries that a replica has answered.',
    ofWorkers: 'sum',
    read: ({ reads }) => reads,
  },
  {
    kind: Counter,
    name: 'failed_reads_total',
    help: 'Queries that a replica failed to answer, and that went to the primary then.',
    ofWorkers: 'sum',
    read: ({ failedReads }) => failedReads,
  },
];

/** Why the primary answered a query that replicas were allowed to answer. */
const REASONS = {
  cheap: ({ cheap }) => cheap,
  unknown: ({ unknown }) => unknown,
  no_replica: ({ noReplica }) => noReplica,
  behind: ({ behind }) => behind,
  ahead: ({ ahead }) => ahead,
} satisfies Record<string, (reads: ReplicaReads) => number>;

/** Adds what the replicas do; they are asked when the metrics are. */
export function addReplicaMetrics(watch: ReplicaWatch, registry: Registry): void {
  for (const figure of FIGURES) registry.registerMetric(ofEach(watch, figure));
  registry.registerMetric(primaryReads(watch));
  registry.registerMetric(
    ofAll(watch, {
      name: 'waits_total',
      help: 'Queries that waited for a replica to come as far as their caller had seen.',
      read: ({ waits }) => waits,
    }),
  );
  registry.registerMetric(
    ofAll(watch, {
      name: 'wait_seconds_total',
      help: 'How long queries have waited for replicas together.',
      read: ({ waitSeconds }) => waitSeconds,
    }),
  );
}

function ofEach(watch: ReplicaWatch, figure: Figure): Gauge | Counter {
  const { kind: Metric, name, help, ofWorkers, read } = figure;
  return new Metric({
    name: `dynamic_query_replica_${name}`,
    help,
    aggregator: ofWorkers,
    labelNames: ['replica'],
    registers: [],
    collect(this: Gauge | Counter) {
      this.reset();
      for (const status of watch.replicas) this.inc({ replica: status.name }, read(status));
    },
  });
}

function primaryReads(watch: ReplicaWatch): Counter {
  return new Counter({
    name: 'dynamic_query_replica_primary_reads_total',
    help:
      'Queries that replicas were allowed to answer and the primary answered, by reason: ' +
      'they cost little, it was not known what their callers had seen, no replica was usable, or ' +
      'none had come far enough.',
    labelNames: ['reason'],
    registers: [],
    collect() {
      this.reset();
      for (const [reason, read] of Object.entries(REASONS)) this.inc({ reason }, read(watch.reads));
    },
  });
}

interface TotalFigure extends Pick<Figure, 'name' | 'help'> {
  readonly read: (reads: ReplicaReads) => number;
}

function ofAll(watch: ReplicaWatch, { name, help, read }: TotalFigure): Counter {
  return new Counter({
    name: `dynamic_query_replica_${name}`,
    help,
    registers: [],
    collect() {
      this.reset();
      this.inc(read(watch.reads));
    },
  });
}
