import type { CutCounts, Engine } from '@proj/engine';
import { Counter, type Registry } from 'prom-client';

const KINDS = ['validated', 'locked'] as const satisfies readonly (keyof CutCounts)[];
const OUTCOMES = ['found', 'missed'] as const;

/** Adds how states of several servers were looked for; there is nothing where none are needed. */
export function addCutMetrics(engine: Pick<Engine, 'cuts'>, registry: Registry): void {
  registry.registerMetric(
    new Counter({
      name: 'dynamic_query_cuts_total',
      help:
        'How often a read looked for one state of several servers, by kind (locked: while ' +
        'transactions of several servers were held) and by whether there was one. A read looks ' +
        'again for two seconds before it is 503 no_common_state.',
      labelNames: ['kind', 'outcome'],
      registers: [],
      collect() {
        this.reset();
        const { cuts } = engine;
        if (cuts === undefined) return;
        for (const kind of KINDS)
          for (const outcome of OUTCOMES) this.inc({ kind, outcome }, cuts[kind][outcome]);
      },
    }),
  );
}
