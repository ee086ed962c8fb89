import {
  AggregatorRegistry,
  Gauge,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';

import type { DatabasesHealth } from '../../served/health.ts';
import type { NamedEngine } from '../../served/served-databases.ts';
import { addEngineMetrics } from './engine-metrics.ts';
import { addFeedMetrics } from './feed-metrics.ts';
import { addIndexBuildMetrics } from './index-build-metrics.ts';
import { addModelMetrics } from './model-metrics.ts';
import { addReplicaMetrics } from './replica-metrics.ts';
import { addSessionMetrics } from './session-metrics.ts';
import { addWatchedMetrics } from './watch-metrics.ts';

/** The metrics of a service, and those of each of its databases with the label `database`. */
export class DatabasesRegistry extends Registry {
  readonly #each: () => readonly NamedEngine[];
  readonly #registries = new Map<string, Registry>();

  constructor(each: () => readonly NamedEngine[]) {
    super();
    this.#each = each;
  }

  /** Counts what is done with a database, in place of what was counted before of its name. */
  add({ name = '', engine }: NamedEngine): void {
    const registry = new Registry();
    registry.setDefaultLabels({ database: name });
    addEngineMetrics(engine, registry);
    addSessionMetrics(engine, registry);
    addIndexBuildMetrics(engine, registry);
    addModelMetrics(engine, registry);
    addWatchedMetrics(engine, registry);
    if (engine.feed !== undefined) addFeedMetrics(engine.feed, registry);
    if (engine.replicas !== undefined) addReplicaMetrics(engine.replicas, registry);
    this.#registries.set(name, registry);
  }

  override async getMetricsAsJSON(): Promise<MetricObjectWithValues<MetricValue<string>>[]> {
    return [...(await super.getMetricsAsJSON()), ...(await this.#ofDatabases())];
  }

  override async metrics(): Promise<string> {
    const joined = AggregatorRegistry.aggregate([await this.#ofDatabases()]);
    return `${await super.metrics()}\n${await joined.metrics()}`;
  }

  async #ofDatabases(): Promise<MetricObjectWithValues<MetricValue<string>>[]> {
    const registries = this.#each().flatMap(({ name = '' }) => this.#registries.get(name) ?? []);
    return (await Promise.all(registries.map((one) => one.getMetricsAsJSON()))).flat();
  }
}

/** Adds whether each database answers. */
export function addAnswerMetrics(health: Pick<DatabasesHealth, 'look'>, registry: Registry): void {
  registry.registerMetric(
    new Gauge({
      name: 'dynamic_query_database_answers',
      help: 'Whether a database answers: 1 if so; for a service with several databases only.',
      labelNames: ['database'],
      aggregator: 'min',
      registers: [],
      async collect() {
        const states = await health.look();
        this.reset();
        for (const [database, state] of states) this.set({ database }, state === 'answers' ? 1 : 0);
      },
    }),
  );
}
