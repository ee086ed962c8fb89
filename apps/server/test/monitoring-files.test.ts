import { readFileSync } from 'node:fs';

import type { FeedStatus, FeedWatch, ReplicaWatch } from '@proj/engine';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

import { REPLICAS } from '../src/http/metrics/database-rows.ts';
import { FEED } from '../src/http/metrics/feed-rows.ts';
import { addRows } from '../src/http/metrics/row.ts';
import { ANSWERS } from '../src/http/metrics/service-rows.ts';
import { STARTING } from './feed-status.ts';
import { cityQuery, present, send, temporaryDatabase, until } from './helper.ts';
import { readMetrics, type Sample } from './metrics-text.ts';
import { serviceHere } from './service-here.ts';

const DEPLOY = new URL('../../../deploy/', import.meta.url);

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: Record<'x' | 'y' | 'w' | 'h', number>;
  readonly targets: readonly { readonly refId: string; readonly expr: string }[];
}

interface Dashboard {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly query: string }[];
  };
  readonly panels: readonly Panel[];
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}

const DASHBOARD = JSON.parse(read('grafana/dynamic-query.json')) as Dashboard;
const RULES = (parse(read('prometheus/alerts.yml')) as Rules).groups.flatMap(({ rules }) => rules);

function read(file: string): string {
  return readFileSync(new URL(file, DEPLOY), 'utf8');
}

/** Labels that Prometheus itself adds, and the metric of whether it could read the others. */
const OF_PROMETHEUS = ['job', 'instance'];
const UP = 'up';

/** The samples of a service that has answered and refused queries, and of a feed. */
async function everySample(): Promise<Sample[]> {
  const { file } = temporaryDatabase();
  const env = { DYNAMIC_QUERY_ADMIN_TOKEN: 'x'.repeat(16), METRICS_PORT: '0', AUDIT: 'stdout' };
  const flags = { database: `sqlite:${file}`, expose: 'all' };
  const service = await serviceHere({ flags, env });
  const metricsApp = present(service.metricsApp);
  for (const body of [cityQuery(1, 1), {}])
    await send(service.app, body, { token: env.DYNAMIC_QUERY_ADMIN_TOKEN });
  const metrics = async (): Promise<string> => (await metricsApp.inject('/metrics')).body;
  // Node measures its event loop in the background.
  await until(async () => (await metrics()).includes('dynamic_query_problems_total{'));
  const samples = readMetrics(await metrics());
  const others = [await feedMetrics(), await replicaMetrics(), await answerMetrics()];
  return [...samples, ...others.flatMap(readMetrics)];
}

async function replicaMetrics(): Promise<string> {
  const replica = { name: 'standby:5432', problem: undefined, lagSeconds: 0 };
  const registry = new Registry();
  const watch: ReplicaWatch = {
    replicas: [{ ...replica, reads: 0, failedReads: 0 }],
    reads: { cheap: 0, unknown: 0, noReplica: 0, behind: 0, ahead: 0, waits: 0, waitSeconds: 0 },
    onChange: () => undefined,
    seenBy: () => undefined,
  };
  addRows(registry, REPLICAS, () => [[watch, {}]]);
  return registry.metrics();
}

async function answerMetrics(): Promise<string> {
  const registry = new Registry();
  const health = { look: async () => new Map([['shop', 'away' as const]]) };
  addRows(registry, ANSWERS, () => [[health, {}]]);
  return registry.metrics();
}

async function feedMetrics(): Promise<string> {
  const status: FeedStatus = { ...STARTING, drops: new Map([['behind', 1]]) };
  const feed: FeedWatch = { status, onChange: () => undefined };
  const registry = new Registry();
  addRows(registry, FEED, () => [[feed, {}]]);
  return registry.metrics();
}

/** What an expression asks of which metric: its labels in braces, and those that it groups by. */
function metricsIn(expression: string): { readonly name: string; readonly labels: string[] }[] {
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
  const asked = expression.matchAll(
    /\b(up|(?:http|dynamic_query|process|nodejs)_\w+)(?:\{([^}]*)\})?/g,
  );
  return [...asked].map(([, name = '', braces = '']) => ({
    name,
    labels: [...grouped, ...[...braces.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label)],
  }));
}

it('every metric and label of the dashboard and of the alerts is one that the service has', async () => {
  const samples = await everySample();
  const expressions = [
    ...DASHBOARD.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...DASHBOARD.templating.list.map(({ query }) => query.replace(/, \w+\)$/, ')')),
    ...RULES.map(({ expr }) => expr),
  ];
  const asked = expressions.flatMap(metricsIn);
  expect(asked.length).toBeGreaterThan(40);
  const unknown = asked.filter(({ name, labels }) => {
    const known = samples.filter((sample) => sample.name === name);
    const has = new Set([
      ...OF_PROMETHEUS,
      ...known.flatMap((sample) => Object.keys(sample.labels)),
    ]);
    return name !== UP && (known.length === 0 || !labels.every((label) => has.has(label)));
  });
  expect(unknown).toEqual([]);
});

it('the dashboard is one that Grafana can draw: panels with ids and titles of their own, none over another', () => {
  const { panels, schemaVersion, uid } = DASHBOARD;
  expect(uid).toBe('dynamic-query');
  expect(schemaVersion).toBeGreaterThanOrEqual(36);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  const taken = new Set<string>();
  for (const { gridPos, targets } of panels) {
    expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    for (let { x } = gridPos; x < gridPos.x + gridPos.w; x++)
      for (let { y } = gridPos; y < gridPos.y + gridPos.h; y++) {
        expect(taken).not.toContain(`${x},${y}`);
        taken.add(`${x},${y}`);
      }
  }
});
