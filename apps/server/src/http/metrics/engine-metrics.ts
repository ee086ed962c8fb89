import type { Engine, MechanismStatistics } from '@proj/engine';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Adds what the engine counts; it is asked when the metrics are. */
export function addEngineMetrics(engine: Pick<Engine, 'statistics'>, registry: Registry): void {
  const labels = { labelNames: ['mechanism'], registers: [] };
  const each = (set: (statistics: MechanismStatistics) => void): void =>
    engine.statistics().forEach(set);

  registry.registerMetric(
    new Counter({
      name: 'dynamic_query_mechanism_hits_total',
      help: 'Requests that a mechanism of the engine made cheap, since the models were last read.',
      ...labels,
      collect() {
        this.reset();
        each(({ mechanism, hits }) => this.inc({ mechanism }, hits));
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: 'dynamic_query_mechanism_misses_total',
      help: 'Requests that a mechanism of the engine was tried for, and that had to be read otherwise.',
      ...labels,
      collect() {
        this.reset();
        each(({ mechanism, misses }) => this.inc({ mechanism }, misses));
      },
    }),
  );
  registry.registerMetric(
    new Gauge({
      name: 'dynamic_query_mechanism_bytes',
      help: 'What a mechanism of the engine keeps in memory, estimated.',
      ...labels,
      collect() {
        this.reset();
        each(({ mechanism, bytes }) => this.set({ mechanism }, bytes));
      },
    }),
  );
}
