import type { Engine } from '@proj/engine';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Adds what there is to know of models that the database has lost. */
export function addModelMetrics(
  engine: Pick<Engine, 'catalogue' | 'onModelChange'>,
  registry: Registry,
): void {
  const losses = new Counter({
    name: 'dynamic_query_model_losses_total',
    help: 'How often a model, or a part of it, was found to be missing in the database.',
    registers: [registry],
  });
  engine.onModelChange(({ change }) => {
    if (change === 'lost') losses.inc();
  });
  registry.registerMetric(unavailableModels(engine));
}

function unavailableModels(engine: Pick<Engine, 'catalogue'>): Gauge {
  return new Gauge({
    name: 'dynamic_query_unavailable_models',
    help: 'Models that are served and of which a part, or all, is missing in the database.',
    aggregator: 'max',
    registers: [],
    collect() {
      const models = [...engine.catalogue.values()];
      this.set(models.filter(({ missing }) => missing !== undefined).length);
    },
  });
}
