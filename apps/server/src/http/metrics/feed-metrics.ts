import type { FeedStatus, FeedWatch } from '@proj/engine';
import { Counter, Gauge, type Registry } from 'prom-client';

/** A figure of the feed, by the name that it has after `dynamic_query_feed_`. */
interface Figure {
  readonly name: string;
  readonly help: string;
  readonly read: (status: FeedStatus) => number;
}

/** A figure that may fall. */
interface GaugeFigure extends Figure {
  /** What one service shows of the figures of its workers. */
  readonly ofWorkers: 'sum' | 'min' | 'max';
}

const GAUGES: readonly GaugeFigure[] = [
  {
    name: 'following',
    ofWorkers: 'min',
    help: 'Whether the change feed follows the server: 1 if so.',
    read: ({ state }) => (state === 'following' ? 1 : 0),
  },
  {
    name: 'lag_bytes',
    ofWorkers: 'max',
    help: 'How far the change feed is behind the server, in bytes of the write-ahead log.',
    read: ({ lagBytes }) => lagBytes,
  },
  {
    name: 'lag_seconds',
    ofWorkers: 'max',
    help: 'For how long the change feed has been behind the server.',
    read: ({ lagSeconds }) => lagSeconds,
  },
  {
    name: 'held_back_bytes',
    ofWorkers: 'max',
    help: 'How much of its write-ahead log the server keeps for the change feed.',
    read: ({ heldBackBytes }) => heldBackBytes,
  },
  {
    name: 'memory_bytes',
    ofWorkers: 'sum',
    help: 'What the changes that are kept take in memory, in bytes, estimated.',
    read: ({ memoryBytes }) => memoryBytes,
  },
  {
    name: 'relations',
    ofWorkers: 'max',
    help: 'Relations whose changes are followed.',
    read: ({ relations }) => relations,
  },
  {
    name: 'snapshot_seconds',
    ofWorkers: 'max',
    help: 'For how long the base snapshot of filtered lists has been held: 0 where there is none.',
    read: ({ snapshotSeconds }) => snapshotSeconds,
  },
  {
    name: 'snapshot_rows',
    ofWorkers: 'max',
    help: 'Rows of a relation that may differ from the base snapshot, as of the last look.',
    read: ({ snapshotRows }) => snapshotRows,
  },
];

const COUNTERS: readonly Figure[] = [
  {
    name: 'transactions_total',
    help: 'Transactions that the change feed has read.',
    read: ({ transactions }) => transactions,
  },
  {
    name: 'waits_total',
    help: 'Reads that waited for the change feed.',
    read: ({ waits }) => waits,
  },
  {
    name: 'late_waits_total',
    help: 'Reads that waited for the change feed in vain, and went on without it.',
    read: ({ lateWaits }) => lateWaits,
  },
  {
    name: 'wait_seconds_total',
    help: 'How long reads have waited for the change feed together.',
    read: ({ waitSeconds }) => waitSeconds,
  },
  {
    name: 'nudges_total',
    help: 'Messages that were written to the log of the server, so that it is flushed.',
    read: ({ nudges }) => nudges,
  },
  {
    name: 'recounts_total',
    help: 'Filtered lists that were followed and had to be counted again.',
    read: ({ recounts }) => recounts,
  },
];

/** Adds what the change feed does; it is asked when the metrics are. */
export function addFeedMetrics(feed: FeedWatch, registry: Registry): void {
  for (const figure of GAUGES) registry.registerMetric(gauge(feed, figure));
  for (const figure of COUNTERS) registry.registerMetric(counter(feed, figure));
  registry.registerMetric(drops(feed));
}

function gauge(feed: FeedWatch, { name, help, read, ofWorkers }: GaugeFigure): Gauge {
  return new Gauge({
    name: `dynamic_query_feed_${name}`,
    help,
    aggregator: ofWorkers,
    registers: [],
    collect() {
      this.set(read(feed.status));
    },
  });
}

function counter(feed: FeedWatch, { name, help, read }: Figure): Counter {
  return new Counter({
    name: `dynamic_query_feed_${name}`,
    help,
    registers: [],
    collect() {
      this.reset();
      this.inc(read(feed.status));
    },
  });
}

function drops(feed: FeedWatch): Counter {
  return new Counter({
    name: 'dynamic_query_feed_drops_total',
    help: 'How often the change feed was dropped after it had followed the server, by reason.',
    labelNames: ['reason'],
    registers: [],
    collect() {
      this.reset();
      for (const [reason, count] of feed.status.drops) this.inc({ reason }, count);
    },
  });
}
