import type { Engine, FeedWatch, ReplicaWatch } from '@proj/engine';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

import { addCutMetrics } from './cut-metrics.ts';
import { addEngineMetrics } from './engine-metrics.ts';
import { addFeedMetrics } from './feed-metrics.ts';
import { addIndexBuildMetrics } from './index-build-metrics.ts';
import { addModelMetrics } from './model-metrics.ts';
import { addReplicaMetrics } from './replica-metrics.ts';
import { addSessionMetrics } from './session-metrics.ts';

/** From a reply out of memory to a query at its time limit, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** How one request went. */
export interface RequestOutcome {
  /** The pattern of the route; undefined where there is none. */
  readonly route: string | undefined;
  readonly status: number;
  readonly milliseconds: number;
  readonly rows: number;
  /** The code of the problem that it met. */
  readonly problem: string | null;
}

type Observer = Pick<Histogram.Internal<string>, 'observe'>;

type CountedEngine = Pick<
  Engine,
  'statistics' | 'sharedSessions' | 'indexBuilds' | 'catalogue' | 'onModelChange' | 'cuts'
>;

/** What the service counts, for Prometheus. */
export class ServiceMetrics {
  readonly registry: Registry;
  #inFlight = 0;
  readonly #durations = new Map<string, Map<number, Observer>>();
  readonly #histogram: Histogram<'route' | 'status'>;
  readonly #rows: Counter;
  readonly #problems: Counter<'code'>;

  /**
   * Counts the process, too, for as long as it lives.
   *
   * @param engine the one database; undefined where the registry counts several
   */
  constructor(engine: CountedEngine | undefined, registry = new Registry()) {
    this.registry = registry;
    const registers = [registry];
    collectDefaultMetrics({ register: this.registry });
    this.#histogram = durationHistogram(this.registry);
    this.registry.registerMetric(inFlightGauge(() => this.#inFlight));
    this.#rows = new Counter({
      name: 'dynamic_query_rows_total',
      help: 'Records that queries have read.',
      registers,
    });
    this.#problems = new Counter({
      name: 'dynamic_query_problems_total',
      help: 'Requests that met a problem, by its code.',
      labelNames: ['code'],
      registers,
    });
    if (engine === undefined) return;
    addEngineMetrics(engine, this.registry);
    addSessionMetrics(engine, this.registry);
    addIndexBuildMetrics(engine, this.registry);
    addModelMetrics(engine, this.registry);
    addCutMetrics(engine, this.registry);
  }

  /** Counts what the change feed does, too. */
  addFeed(feed: FeedWatch): void {
    addFeedMetrics(feed, this.registry);
  }

  /** Counts what the replicas do, too. */
  addReplicas(replicas: ReplicaWatch): void {
    addReplicaMetrics(replicas, this.registry);
  }

  requestStarted(): void {
    this.#inFlight += 1;
  }

  requestEnded({ route = 'none', status, milliseconds, rows, problem }: RequestOutcome): void {
    this.#inFlight -= 1;
    this.#durationOf(route, status).observe(milliseconds / 1000);
    if (rows > 0) this.#rows.inc(rows);
    if (problem !== null) this.#problems.inc({ code: problem });
  }

  /** Labels are looked up once for each route and status, because that costs more than counting. */
  #durationOf(route: string, status: number): Observer {
    const byStatus = this.#durations.get(route) ?? new Map<number, Observer>();
    const observer = byStatus.get(status) ?? this.#histogram.labels(route, String(status));
    if (byStatus.size === 0) this.#durations.set(route, byStatus);
    if (!byStatus.has(status)) byStatus.set(status, observer);
    return observer;
  }
}

function durationHistogram(registry: Registry): Histogram<'route' | 'status'> {
  return new Histogram({
    name: 'http_request_duration_seconds',
    help:
      'How long requests took until their reply was out, by the pattern of the route; ' +
      'status 499 is a client that disconnected.',
    labelNames: ['route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  });
}

function inFlightGauge(count: () => number): Gauge {
  return new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests that are being answered.',
    registers: [],
    collect() {
      this.set(count());
    },
  });
}
