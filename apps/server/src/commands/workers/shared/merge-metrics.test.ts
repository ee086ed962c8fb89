import { Counter, Gauge, Registry } from 'prom-client';
import { expect, it } from 'vitest';

import { MergedMetrics, type MetricObjects } from './merge-metrics.ts';

/** The metrics of a process that answered so many requests, and answers so many now. */
function metricsOf(answered: number, running: number): Promise<MetricObjects> {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'answered_total', help: 'a', registers }).inc(answered);
  new Gauge({ name: 'running', help: 'r', registers }).set(running);
  return registry.getMetricsAsJSON();
}

it('adds up the metrics of all workers, and lets no counter fall when one has ended', async () => {
  const merged = new MergedMetrics();
  merged.note(1, await metricsOf(10, 3));
  merged.note(2, await metricsOf(5, 1));
  const before = await merged.text([]);
  expect(before).toContain('answered_total 15\n');
  expect(before).toContain('running 4\n');
  await merged.workerEnded(1);
  await merged.workerEnded(1);
  merged.note(1, await metricsOf(2, 1));
  const after = await merged.text(await metricsOf(100, 0));
  expect(after).toContain('answered_total 117\n');
  expect(after).toContain('running 2\n');
});
