import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

/** The metrics of one process. */
export type MetricObjects = MetricObjectWithValues<MetricValue<string>>[];

/** Those that only grow: what a process that has ended counted still counts. */
const GROWING: readonly string[] = ['counter', 'histogram', 'summary'];

/**
 * The metrics of several processes as those of one service. Gauges are added up unless they say
 * otherwise; what workers that have ended counted stays, so that no counter falls.
 */
export class MergedMetrics {
  readonly #latest = new Map<number, MetricObjects>();
  #ended: MetricObjects = [];

  /** Notes what a worker counted so far. */
  note(worker: number, metrics: MetricObjects): void {
    this.#latest.set(worker, metrics);
  }

  /** Keeps what a worker counted, as far as it was noted. */
  async workerEnded(worker: number): Promise<void> {
    const last = this.#latest.get(worker) ?? [];
    this.#latest.delete(worker);
    const growing = last.filter(({ type }) => GROWING.includes(String(type)));
    if (growing.length === 0) return;
    this.#ended = await AggregatorRegistry.aggregate([this.#ended, growing]).getMetricsAsJSON();
  }

  /** The text for Prometheus. */
  text(own: MetricObjects): Promise<string> {
    const all = [own, this.#ended, ...this.#latest.values()];
    return AggregatorRegistry.aggregate(all).metrics();
  }
}
