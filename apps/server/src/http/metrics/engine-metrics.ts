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
      help:
        'Requests that an access path of the engine answered, ' +
        'since the catalogue was last reloaded.',
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
      help: 'Requests for which an access path of the engine was tried and missed.',
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
      help: 'What an access path of the engine keeps in memory, in bytes, estimated.',
      ...labels,
      collect() {
        this.reset();
        each(({ mechanism, bytes }) => this.set({ mechanism }, bytes));
      },
    }),
  );
}
