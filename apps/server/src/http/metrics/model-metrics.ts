import type { Engine, Model } from '@proj/engine';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Adds what there is to know of models that the database has lost, or has on other servers. */
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
  for (const { name, help, has } of KINDS)
    registry.registerMetric(
      new Gauge({
        name,
        help,
        aggregator: 'max',
        registers: [],
        collect() {
          this.set([...engine.catalogue.values()].filter(has).length);
        },
      }),
    );
}

/** Kinds of models that are counted. */
const KINDS: readonly {
  readonly name: string;
  readonly help: string;
  readonly has: (model: Model) => boolean;
}[] = [
  {
    name: 'dynamic_query_unavailable_models',
    help: 'Models that are served and of which a part, or all, is missing in the database.',
    has: ({ missing }) => missing !== undefined,
  },
  {
    name: 'dynamic_query_approximate_models',
    help: 'Models that are served although a reply may show several states of the data.',
    has: ({ distributed }) => distributed !== undefined,
  },
];
