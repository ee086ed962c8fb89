import type { Engine, MechanismStatistics } from '@proj/engine';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Adds what the engine counts; it is asked when the metrics are. */
export function addEngineMetrics(engine: Pick<Engine, 'statistics'>, registry: Registry): void {
  registry.registerMetric(
    mechanismCounter(engine, 'hits', {
      name: 'dynamic_query_mechanism_hits_total',
      help:
        'Requests that an access path of the engine answered, ' +
        'since the catalogue was last reloaded.',
    }),
  );
  registry.registerMetric(
    mechanismCounter(engine, 'misses', {
      name: 'dynamic_query_mechanism_misses_total',
      help: 'Requests for which an access path of the engine was tried and missed.',
    }),
  );
  registry.registerMetric(mechanismBytes(engine));
}

function mechanismCounter(
  engine: Pick<Engine, 'statistics'>,
  figure: keyof Pick<MechanismStatistics, 'hits' | 'misses'>,
  described: { readonly name: string; readonly help: string },
): Counter {
  return new Counter({
    ...described,
    labelNames: ['mechanism'],
    registers: [],
    collect() {
      this.reset();
      for (const { mechanism, [figure]: count } of engine.statistics())
        this.inc({ mechanism }, count);
    },
  });
}

function mechanismBytes(engine: Pick<Engine, 'statistics'>): Gauge {
  return new Gauge({
    name: 'dynamic_query_mechanism_bytes',
    help: 'What an access path of the engine keeps in memory, in bytes, estimated.',
    labelNames: ['mechanism'],
    registers: [],
    collect() {
      this.reset();
      for (const { mechanism, bytes } of engine.statistics()) this.set({ mechanism }, bytes);
    },
  });
}
