import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

export type MetricObjects = MetricObjectWithValues<MetricValue<string>>[];

/** Growing metrics still count after their process has ended. */
const GROWING: readonly string[] = ['counter', 'histogram', 'summary'];

/** Adds up gauges unless they say otherwise; ended workers still count, so no counter falls. */
export class MergedMetrics {
  readonly #latest = new Map<number, MetricObjects>();
  #ended: MetricObjects = [];

  note(worker: number, metrics: MetricObjects): void {
    this.#latest.set(worker, metrics);
  }

  async workerEnded(worker: number): Promise<void> {
    const last = this.#latest.get(worker) ?? [];
    this.#latest.delete(worker);
    const growing = last.filter(({ type }) => GROWING.includes(String(type)));
    if (growing.length === 0) return;
    this.#ended = await AggregatorRegistry.aggregate([this.#ended, growing]).getMetricsAsJSON();
  }

  text(own: MetricObjects): Promise<string> {
    const all = [own, this.#ended, ...this.#latest.values()];
    return AggregatorRegistry.aggregate(all).metrics();
  }
}
