import { API_PATHS } from '@proj/contract';
import type { Engine, MechanismStatistics } from '@proj/engine';
import { describe, expect, it, onTestFinished } from 'vitest';

import { addDatabaseMetrics } from '../src/http/metrics/database-rows.ts';
import { buildMetricsApp } from '../src/http/metrics/metrics-app.ts';
import { ServiceMetrics } from '../src/http/metrics/service-metrics.ts';
import {
  CITIES,
  cityQuery,
  ENDLESS,
  listen,
  MODELS_PATH,
  QUERY_PATH,
  send,
  sharedService,
  startService,
  stubbed,
  TOKEN,
  until,
} from './helper.ts';
import { askText, open } from './long-replies.ts';
import { databaseOf, readMetrics, type Sample, valueOf } from './metrics-text.ts';

const over = await sharedService({
  sql: CITIES + ENDLESS,
  settings: { models: { endless: { key: ['id'] } } },
});

/** A service that counts. Figures may stand in for those of the engine. */
async function countedService(figures: Partial<Engine> = {}) {
  const metrics = new ServiceMetrics();
  addDatabaseMetrics(databaseOf(stubbed(over.engine, figures)), metrics.registry);
  const { app, ask, get } = await startService({ over, parts: { metrics } });
  const metricsApp = buildMetricsApp(metrics.registry);
  onTestFinished(() => metricsApp.close());
  const read = async () => readMetrics((await metricsApp.inject('/metrics')).body);
  return { app, metricsApp, read, ask, get };
}

function requests(samples: readonly Sample[], route: string, status: number): number | undefined {
  return valueOf(samples, 'http_request_duration_seconds_count', { route, status: String(status) });
}

describe('the metrics', () => {
  it('count requests by the pattern of their route, and by status', async () => {
    const { app, ask, get, read } = await countedService();
    await ask(cityQuery(1, 10));
    await ask(cityQuery(2, 10));
    await ask('{');
    for (const name of ['cities', 'none', 'other']) await get(`${MODELS_PATH}/${name}`);
    for (const url of ['/a', '/b', '/c?d=e', '/%zz', `${MODELS_PATH}/${'a'.repeat(1025)}`])
      await app.inject(url);
    await app.inject({ method: 'DELETE', url: '/livez' });
    const samples = await read();
    expect(requests(samples, QUERY_PATH, 200)).toBe(2);
    expect(requests(samples, QUERY_PATH, 400)).toBe(1);
    expect(requests(samples, `${MODELS_PATH}/:name`, 200)).toBe(1);
    expect(requests(samples, `${MODELS_PATH}/:name`, 404)).toBe(2);
    expect(requests(samples, '/livez', 405)).toBe(1);
    expect([404, 400, 414].map((status) => requests(samples, 'none', status))).toEqual([3, 1, 1]);
    const routes = new Set(
      samples.map(({ labels }) => labels['route']).filter((route) => route !== undefined),
    );
    expect([...routes].toSorted()).toEqual(
      [`${MODELS_PATH}/:name`, QUERY_PATH, '/livez', 'none'].toSorted(),
    );
  });

  it('count a reply that the caller holds as a request, and no rows', async () => {
    const { app, ask, read } = await countedService();
    await ask(cityQuery(1, 10));
    const query = (tag = '') =>
      send(app, cityQuery(1, 10), { method: 'QUERY', headers: { 'if-none-match': tag } });
    await query(String((await query()).headers.etag));
    const samples = await read();
    expect([200, 304].map((status) => requests(samples, QUERY_PATH, status))).toEqual([2, 1]);
    expect(valueOf(samples, 'dynamic_query_rows_total')).toBe(20);
  });

  it('measure how long requests took, in seconds', async () => {
    const { ask, read } = await countedService();
    const started = performance.now();
    await ask(cityQuery(1, 10));
    const wholeSeconds = (performance.now() - started) / 1000;
    const samples = await read();
    const labels = { route: QUERY_PATH, status: '200' };
    const buckets = samples.filter(
      ({ name, labels: { route } }) => name.endsWith('_bucket') && route === QUERY_PATH,
    );
    const counts = buckets.map(({ value }) => value);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(buckets.at(-1)).toMatchObject({ labels: { le: '+Inf' }, value: 1 });
    const sum = valueOf(samples, 'http_request_duration_seconds_sum', labels) ?? 0;
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThanOrEqual(wholeSeconds);
  });

  it('count rows that were read, and problems by their code', async () => {
    const { app, ask, read } = await countedService();
    await ask(cityQuery(1, 10));
    await ask(cityQuery(5, 10));
    await ask(cityQuery(6, 10));
    await ask(cityQuery(0, 10));
    await ask({ ...cityQuery(1, 10), query_model: 'none' });
    await app.inject({ method: 'POST', url: QUERY_PATH });
    const samples = await read();
    expect(valueOf(samples, 'dynamic_query_rows_total')).toBe(12);
    const problems = samples.filter(({ name }) => name === 'dynamic_query_problems_total');
    expect(problems.map(({ labels: { code }, value }) => [code, value])).toEqual([
      ['out_of_range', 1],
      ['unknown_model', 1],
      ['unauthenticated', 1],
    ]);
  });

  it('report the requests in flight, and count a caller who disconnected as 499', async () => {
    const { app, read } = await countedService();
    const port = await listen(app);
    const page = { page: 1, size: 1 };
    const body = { query_model: 'endless', query_attributes: ['id'], page };
    const { socket } = open(port, askText(API_PATHS.query, body, { token: TOKEN }));
    await until(async () => valueOf(await read(), 'http_requests_in_flight') === 1);
    socket.destroy();
    await until(async () => valueOf(await read(), 'http_requests_in_flight') === 0);
    expect(requests(await read(), QUERY_PATH, 499)).toBe(1);
  });

  it('hold what the engine has counted when they are read', async () => {
    let hits = 3;
    const statistics = (): MechanismStatistics[] => [
      { mechanism: 'total-memo', hits, misses: 2, bytes: 100 },
      { mechanism: 'page-index', hits: 0, misses: 7, bytes: 5000 },
    ];
    const { read } = await countedService({ statistics });
    await read();
    hits = 5;
    const samples = await read();
    expect(
      valueOf(samples, 'dynamic_query_mechanism_hits_total', { mechanism: 'total-memo' }),
    ).toBe(5);
    expect(
      valueOf(samples, 'dynamic_query_mechanism_misses_total', { mechanism: 'page-index' }),
    ).toBe(7);
    expect(valueOf(samples, 'dynamic_query_mechanism_bytes', { mechanism: 'page-index' })).toBe(
      5000,
    );
  });

  it('hold every mechanism of the engine, with what it did', async () => {
    const { ask, read } = await countedService();
    for (const page of [1, 1, 5]) await ask(cityQuery(page, 10));
    const samples = (await read()).filter(({ name }) =>
      /^dynamic_query_mechanism_(hits|misses)_total$/.test(name),
    );
    expect(new Set(samples.map(({ labels }) => labels['mechanism'])).size).toBeGreaterThan(2);
    expect(samples.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThan(0);
  });

  it('hold how page indexes were built', async () => {
    const ended = { built: 3, outdated: 1, refused: 2, failed: 0 };
    const indexBuilds = () => ({ begun: 7, ended, milliseconds: 1500 });
    const samples = await (await countedService({ indexBuilds })).read();
    expect(valueOf(samples, 'dynamic_query_index_builds_begun_total')).toBe(7);
    for (const [outcome, count] of Object.entries(ended)) {
      const name = 'dynamic_query_index_builds_ended_total';
      expect(valueOf(samples, name, { outcome })).toBe(count);
    }
    expect(valueOf(samples, 'dynamic_query_index_build_seconds_total')).toBe(1.5);
  });

  it('say what callers share who read as roles of the database, by role and not by value', async () => {
    const use = { role: 'tenant', hitsOfOwn: 3, hitsOfOthers: 5, misses: 2 };
    const sharedSessions = () => ({
      kept: [{ role: 'tenant', values: 4 }],
      uses: [
        { ...use, mechanism: 'reply_cache' },
        { ...use, mechanism: 'total_cache', hitsOfOthers: 7 },
      ],
    });
    const samples = await (await countedService({ sharedSessions })).read();
    const ofSessions = samples.filter(({ name }) => name.startsWith('dynamic_query_session_'));
    const shown = ofSessions.map(({ name, labels, value }) => {
      return [name.slice('dynamic_query_session_'.length), ...Object.values(labels), value].join(
        ' ',
      );
    });
    expect(shown.toSorted()).toEqual([
      'hits_total tenant reply_cache another_caller 5',
      'hits_total tenant reply_cache same_caller 3',
      'hits_total tenant total_cache another_caller 7',
      'hits_total tenant total_cache same_caller 3',
      'misses_total tenant reply_cache 2',
      'misses_total tenant total_cache 2',
      'values tenant 4',
    ]);
  });

  it('count how states of several servers were looked for, once there are such servers', async () => {
    const cuts = { validated: { found: 5, missed: 4 }, locked: { found: 3, missed: 2 } };
    const shown = async (figures: { readonly cuts?: typeof cuts }): Promise<string[]> => {
      const samples = await (await countedService(figures)).read();
      const ofCuts = samples.filter(({ name }) => name === 'dynamic_query_cuts_total');
      return ofCuts.map(({ labels, value }) => [...Object.values(labels), value].join(' '));
    };
    expect((await shown({ cuts })).toSorted()).toEqual([
      'locked found 3',
      'locked missed 2',
      'validated found 5',
      'validated missed 4',
    ]);
    expect(await shown({})).toEqual([]);
  });

  it('report on the process', async () => {
    const samples = await (await countedService()).read();
    expect(valueOf(samples, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(valueOf(samples, 'process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(valueOf(samples, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
  });

  it('hold nothing of what callers sent', async () => {
    const { app, ask, metricsApp } = await countedService();
    await ask({ ...cityQuery(1, 10), query_model: 'secret-canary' });
    await app.inject({ url: '/secret-canary', headers: { 'x-request-id': 'secret-canary' } });
    expect((await metricsApp.inject('/metrics')).body).not.toContain('canary');
  });
});

describe('the listener of the metrics', () => {
  it('answers /metrics in the text format, to be kept by nobody', async () => {
    const { metricsApp } = await countedService();
    const { statusCode, headers } = await metricsApp.inject('/metrics');
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    });
  });

  it('answers nothing else', async () => {
    const { metricsApp } = await countedService();
    expect(await metricsApp.inject('/')).toBeProblem('not_found');
    expect(await metricsApp.inject(MODELS_PATH)).toBeProblem('not_found');
    expect(await metricsApp.inject({ method: 'POST', url: '/metrics' })).toBeProblem(
      'method_not_allowed',
    );
  });

  it('is apart from the service, which has no /metrics', async () => {
    const { app } = await countedService();
    expect(await app.inject('/metrics')).toBeProblem('not_found');
  });
});
