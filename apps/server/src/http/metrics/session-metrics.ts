import type { Engine, SessionStatistics } from '@proj/engine';
import { Counter, Gauge, type Registry } from 'prom-client';

type SessionsOf = Pick<Engine, 'sharedSessions'>;

/** What a hit was brought by, in the words of the label `kept_by`. */
const HITS = [
  { keptBy: 'same_caller', figure: 'hitsOfOwn' },
  { keptBy: 'another_caller', figure: 'hitsOfOthers' },
] as const satisfies readonly { keptBy: string; figure: keyof SessionStatistics }[];

/** Adds what callers who read as roles of the database share; the engine is asked when they are. */
export function addSessionMetrics(engine: SessionsOf, registry: Registry): void {
  registry.registerMetric(keptGauge(engine));
  registry.registerMetric(hitCounter(engine));
  registry.registerMetric(missCounter(engine));
}

function keptGauge(engine: SessionsOf): Gauge {
  return new Gauge({
    name: 'dynamic_query_session_values',
    help:
      'For how many different values of its settings totals, replies or page indexes are kept, ' +
      'by the role of the database.',
    labelNames: ['role'],
    registers: [],
    collect() {
      this.reset();
      for (const { role, values } of engine.sharedSessions().kept) this.set({ role }, values);
    },
  });
}

function hitCounter(engine: SessionsOf): Counter {
  return new Counter({
    name: 'dynamic_query_session_hits_total',
    help:
      'Requests as a role of the database that were answered by a kept reply (reply_cache) or ' +
      'total (total_cache), which a request of the same caller or of another one with the same ' +
      'values had brought, since the catalogue was last reloaded.',
    labelNames: ['role', 'mechanism', 'kept_by'],
    registers: [],
    collect() {
      this.reset();
      for (const { role, mechanism, ...figures } of engine.sharedSessions().uses)
        for (const { keptBy, figure } of HITS)
          this.inc({ role, mechanism, kept_by: keptBy }, figures[figure]);
    },
  });
}

function missCounter(engine: SessionsOf): Counter {
  return new Counter({
    name: 'dynamic_query_session_misses_total',
    help:
      'Requests as a role of the database for which no total was kept (total_cache), or whose ' +
      'kept reply or total was not current any more.',
    labelNames: ['role', 'mechanism'],
    registers: [],
    collect() {
      this.reset();
      for (const { role, mechanism, misses } of engine.sharedSessions().uses)
        this.inc({ role, mechanism }, misses);
    },
  });
}
