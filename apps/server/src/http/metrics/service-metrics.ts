import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

import { addRows, type Row } from './row.ts';

/** In seconds, from a cached reply to a query at its time limit. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const IN_FLIGHT: Row<number> = [
  'http_requests_in_flight',
  'Requests that are being answered.',
  (count) => count,
];

export interface RequestOutcome {
  readonly route: string | undefined;
  readonly status: number;
  readonly milliseconds: number;
  readonly rows: number;
  readonly problem: string | undefined;
}

type Observer = Pick<Histogram.Internal<string>, 'observe'>;

export class ServiceMetrics {
  readonly registry = new Registry();
  #inFlight = 0;
  readonly #durations = new Map<string, Map<number, Observer>>();
  readonly #histogram = durationHistogram(this.registry);
  readonly #rows = new Counter({
    name: 'dynamic_query_rows_total',
    help: 'Records that queries have read.',
    registers: [this.registry],
  });
  readonly #problems = new Counter({
    name: 'dynamic_query_problems_total',
    help: 'Requests that met a problem, by its code.',
    labelNames: ['code'],
    registers: [this.registry],
  });

  /** Also counts the process, for as long as it lives. */
  constructor() {
    collectDefaultMetrics({ register: this.registry });
    addRows(this.registry, [IN_FLIGHT], () => [[this.#inFlight, {}]]);
  }

  requestStarted(): void {
    this.#inFlight += 1;
  }

  requestEnded({ route = 'none', status, milliseconds, rows, problem }: RequestOutcome): void {
    this.#inFlight -= 1;
    this.#durationOf(route, status).observe(milliseconds / 1000);
    if (rows > 0) this.#rows.inc(rows);
    if (problem !== undefined) this.#problems.inc({ code: problem });
  }

  /** Caches label lookups, which cost more than counting. */
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
