import { Grant } from '@proj/engine';
import { expect, it, onTestFinished } from 'vitest';

import { addDatabaseMetrics } from '../src/http/metrics/database-rows.ts';
import { buildMetricsApp } from '../src/http/metrics/metrics-app.ts';
import { logChanges } from '../src/log/database-log.ts';
import { ServiceMetrics } from '../src/http/metrics/service-metrics.ts';
import { CITIES, cityQuery, MODELS_PATH, send, startService, writeTo } from './helper.ts';
import { databaseOf, readMetrics, valueOf } from './metrics-text.ts';

/**
 * A service for two tokens, of which only the first may see cities, over a database that changes.
 */
async function startChanging() {
  const log: {
    readonly level: number;
    readonly model?: string;
    readonly msg: string;
    readonly code?: string;
  }[] = [];
  const metrics = new ServiceMetrics();
  const { app, engine, file } = await startService({
    sql: `${CITIES} create table rivers (id integer primary key);`,
    logLevel: 'info',
    parts: {
      authenticate: async (name) => {
        const models = new Map([[name, { attributes: 'all' as const }]]);
        return { name, id: name, role: null, grant: new Grant(models) };
      },
      logStream: { write: (line) => log.push(JSON.parse(line) as (typeof log)[number]) },
      metrics,
    },
  });
  addDatabaseMetrics(databaseOf(engine), metrics.registry);
  logChanges(engine, app.log);
  const metricsApp = buildMetricsApp(metrics.registry);
  onTestFinished(() => metricsApp.close());
  const ask = (token: string, body = cityQuery(1, 1)) => send(app, body, { token });
  const count = async (name: string) =>
    valueOf(readMetrics((await metricsApp.inject('/metrics')).body), name);
  const change = (sql: string) => writeTo(file, sql);
  return { app, ask, count, change, log };
}

it('a model whose table is missing is 503 for callers who may see it, and does not exist for others', async () => {
  const { ask, change, app } = await startChanging();
  change('alter table cities rename to towns');
  const reply = await ask('cities');
  expect(reply).toBeProblem('model_unavailable');
  expect(reply.headers['retry-after']).toBe('1');
  const [hidden, unknown] = await Promise.all([
    ask('rivers'),
    ask('rivers', { ...cityQuery(1, 1), query_model: 'nothing' }),
  ]);
  expect(hidden).toBeProblem('unknown_model');
  expect(withoutNames(hidden.body)).toBe(withoutNames(unknown.body));
  const entry = await app.inject({
    url: `${MODELS_PATH}/cities`,
    headers: { authorization: 'Bearer cities' },
  });
  expect(entry.statusCode).toBe(200);
  expect((await app.inject('/readyz')).statusCode).toBe(200);
  change('alter table towns rename to cities');
  expect((await ask('cities')).statusCode).toBe(200);
});

it('the loss of a model and its return are logged once each and counted', async () => {
  const { ask, change, count, log } = await startChanging();
  expect(await count('dynamic_query_unavailable_models')).toBe(0);
  change('alter table cities rename to towns');
  for (let request = 0; request < 3; request++) await ask('cities');
  expect(await count('dynamic_query_unavailable_models')).toBe(1);
  change('alter table towns rename to cities');
  for (let request = 0; request < 3; request++) await ask('cities');
  expect(await count('dynamic_query_unavailable_models')).toBe(0);
  expect(await count('dynamic_query_model_losses_total')).toBe(1);
  const lines = log
    .filter(({ model, level }) => model !== undefined || level >= 40)
    .map(({ msg, model }) => ({ msg, model }));
  expect(lines).toEqual([
    { msg: 'a model, or a part of it, is unavailable', model: 'cities' },
    { msg: 'a model is available again', model: 'cities' },
  ]);
});

function withoutNames(body: string): string {
  return body.replaceAll(/cities|nothing/g, 'NAME').replace(/"request_id":"[^"]*"/, '');
}
