import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

import type { Observer } from '../plugins/observers.ts';
import { endingStatus } from '../plugins/request-log.ts';
import { addRows, type Row } from './row.ts';

/** In seconds, from a cached reply to a query at its time limit. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const IN_FLIGHT: Row<number> = [
  'http_requests_in_flight',
  'Requests that are being answered.',
  (count) => count,
];

type Timing = Pick<Histogram.Internal<string>, 'observe'>;

export class ServiceMetrics {
  readonly registry = new Registry();
  #inFlight = 0;
  readonly #durations = new Map<string, Map<number, Timing>>();
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

  /** Until the reply is out or the client has disconnected. */
  readonly count: Observer = (ask, { route = 'none' }) => {
    this.#inFlight += 1;
    ask.onEnd(() => {
      const { read, elapsedMs, problem: code = ask.cutBy } = ask;
      this.#inFlight -= 1;
      this.#timingOf(route, endingStatus(ask)).observe(elapsedMs / 1000);
      if (read !== undefined && read.rows > 0) this.#rows.inc(read.rows);
      if (code !== undefined) this.#problems.inc({ code });
    });
  };

  /** Caches label lookups, which cost more than counting. */
  #timingOf(route: string, status: number): Timing {
    const byStatus = this.#durations.get(route) ?? new Map<number, Timing>();
    const timing = byStatus.get(status) ?? this.#histogram.labels(route, String(status));
    if (byStatus.size === 0) this.#durations.set(route, byStatus);
    if (!byStatus.has(status)) byStatus.set(status, timing);
    return timing;
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
