import type { Engine } from '@proj/engine';
import { Counter, type Registry } from 'prom-client';

type IndexBuildsOf = Pick<Engine, 'indexBuilds'>;

/** Adds how indexes of deep pages were built; the engine is asked when the metrics are. */
export function addIndexBuildMetrics(engine: IndexBuildsOf, registry: Registry): void {
  registry.registerMetric(begunCounter(engine));
  registry.registerMetric(endedCounter(engine));
  registry.registerMetric(secondsCounter(engine));
}

function begunCounter(engine: IndexBuildsOf): Counter {
  return new Counter({
    name: 'dynamic_query_index_builds_begun_total',
    help: 'Page indexes that were begun, since the catalogue was last reloaded.',
    registers: [],
    collect() {
      this.reset();
      this.inc(engine.indexBuilds().begun);
    },
  });
}

function endedCounter(engine: IndexBuildsOf): Counter {
  return new Counter({
    name: 'dynamic_query_index_builds_ended_total',
    help:
      'Page indexes by how building them ended: built; outdated by a write; refused, because the ' +
      'database has no index for the order and would sort too much, or policies keep it from ' +
      'searching one; failed, or out of time.',
    labelNames: ['outcome'],
    registers: [],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(engine.indexBuilds().ended))
        this.inc({ outcome }, count);
    },
  });
}

function secondsCounter(engine: IndexBuildsOf): Counter {
  return new Counter({
    name: 'dynamic_query_index_build_seconds_total',
    help: 'How long building page indexes took, with the pauses between its chunks.',
    registers: [],
    collect() {
      this.reset();
      this.inc(engine.indexBuilds().milliseconds / 1000);
    },
  });
}
