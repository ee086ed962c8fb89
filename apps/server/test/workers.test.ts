import { readFileSync, writeFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { CITIES, cityQuery, MODELS_PATH, temporaryDatabase, until } from './helper.ts';
import { launch } from './server-process.ts';
import { childrenOf, metricOf, startWorkers, TOKEN } from './two-workers.ts';

/** Far more than is ever on its way to a caller. */
const LONG_NOTES = `create table cities (id integer primary key, name text not null);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000)
  insert into cities select i, printf('%0500d', i) from n;`;

/** Which process has logged each reply. */
function repliesByProcess(output: string): Map<number, number> {
  const counts = new Map<number, number>();
  for (const line of output.split('\n').filter((text) => text.includes('"msg":"answered"'))) {
    const { pid } = JSON.parse(line) as { pid: number };
    counts.set(pid, (counts.get(pid) ?? 0) + 1);
  }
  return counts;
}

const ANSWERED = 'http_request_duration_seconds_count{route="/api/v1/dynamic/query",status="200"}';

describe.skipIf(process.platform === 'win32')('a service of two workers', () => {
  it('answers on one port with both, adds up their metrics, and logs each line as a whole', async () => {
    const { ask, metrics, output, workers } = await startWorkers({ audit: 'stdout' });
    const replies = await Promise.all(Array.from({ length: 40 }, () => ask()));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
    await until(async () => metricOf(await metrics(), ANSWERED) === 40);
    expect(metricOf(await metrics(), 'dynamic_query_workers')).toBe(2);
    await until(() => output().match(/"outcome":"ok"/g)?.length === 40);
    const replied = repliesByProcess(output());
    expect(new Set(replied.keys())).toEqual(new Set(workers()));
    const lines = output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    expect(lines.every((line) => typeof JSON.parse(line) === 'object')).toBe(true);
  });

  it('lets through no more requests and queries of a token than the limit, in all workers', async () => {
    const { ask } = await startWorkers({ rate_limits: { requests_per_minute: 25 } });
    const replies = await Promise.all(Array.from({ length: 60 }, () => ask()));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBe(25);
    expect(statuses.filter((status) => status === 429).length).toBe(35);
  });

  it('lets exports begin as long as the quota has all of their records, in all workers', async () => {
    const { exportAll } = await startWorkers({ rate_limits: { rows_per_day: 100 } });
    const replies = await Promise.all(Array.from({ length: 12 }, () => exportAll()));
    const statuses = replies.map(({ status }) => status);
    // Each has 42 records.
    expect(statuses.filter((status) => status === 200).length).toBe(2);
    expect(statuses.filter((status) => status === 429).length).toBe(10);
  });

  it('counts an export that runs in one worker as a query that runs, in the other too', async () => {
    const settings = { rate_limits: { concurrent_queries: 1 } };
    const { ask, exportAll } = await startWorkers(settings, LONG_NOTES);
    const [reply, page] = [await exportAll(), cityQuery(1, 1)];
    expect(reply.status).toBe(200);
    const asked = await Promise.all(Array.from({ length: 12 }, () => ask(page)));
    expect(asked.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 429));
    await reply.body?.cancel();
    await until(async () => (await ask(page)).status === 200);
  });

  it('refuses an address in all workers once it has sent too many invalid tokens', async () => {
    const { ask } = await startWorkers({ rate_limits: { failures_per_minute: 5 } });
    for (let time = 0; time < 5; time += 1)
      expect((await ask(cityQuery(1, 1), 'wrong')).status).toBe(401);
    // The workers learn of it from the process that counts.
    await until(async () => {
      const replies = [await ask(cityQuery(1, 1), 'wrong'), await ask(cityQuery(1, 1), 'wrong')];
      return replies.every(({ status }) => status === 429);
    });
  });

  it('starts another worker where one is killed, goes on answering meanwhile, and loses no count', async () => {
    const { ask, metrics, output, workers } = await startWorkers();
    for (let time = 0; time < 6; time += 1) expect((await ask()).status).toBe(200);
    expect(metricOf(await metrics(), ANSWERED)).toBe(6);
    const [killed = 0, other] = workers();
    process.kill(killed, 'SIGKILL');
    await until(() => output().includes('a worker has ended; another one is started'));
    for (let time = 0; time < 6; time += 1) expect((await ask()).status).toBe(200);
    await until(() => output().includes('a worker was started again'));
    expect(workers()).toContain(other);
    expect(workers().length).toBe(2);
    const text = await metrics();
    expect(metricOf(text, ANSWERED)).toBe(12);
    expect(metricOf(text, 'dynamic_query_worker_restarts_total')).toBe(1);
  });

  it('applies settings in all workers, or in none, also in one that is started later', async () => {
    const { child, config, origin, output, workers } = await startWorkers();
    const models = async (): Promise<Set<number>> => {
      const headers = { authorization: `Bearer ${TOKEN}`, connection: 'close' };
      const get = async () => fetch(`${origin}${MODELS_PATH}/towns`, { headers });
      const replies = await Promise.all(Array.from({ length: 8 }, get));
      return new Set(replies.map(({ status }) => status));
    };
    const before = JSON.parse(readFileSync(config, 'utf8')) as object;
    const towns = { towns: { source: 'cities', attributes: 'all' } };
    writeFileSync(config, JSON.stringify({ ...before, models: towns }));
    await until(() => output().includes('settings and catalogue reloaded'));
    expect(await models()).toEqual(new Set([200]));
    const wrong = { roles: { clerk: { models: { nowhere: {} } } }, models: {} };
    writeFileSync(config, JSON.stringify({ ...before, ...wrong }));
    await until(() => output().includes('reload failed, keeping the previous settings'));
    expect(await models()).toEqual(new Set([200]));
    process.kill(workers()[0] ?? 0, 'SIGKILL');
    await until(() => output().includes('a worker was started again'));
    expect(await models()).toEqual(new Set([200]));
    child.kill('SIGTERM');
  });

  it('drains all workers on SIGTERM, answers what is in flight, and leaves no process behind', async () => {
    const slow = `create view slow as with recursive n(i) as
      (select 1 union all select i + 1 from n where i < 3000000) select max(i) as id from n;`;
    const settings = { models: { slow: { key: ['id'] } }, limits: { query_timeout_ms: 60_000 } };
    const { ask, child, ended, metrics, workers } = await startWorkers(settings, CITIES + slow);
    const pids = workers();
    const query = { query_model: 'slow', query_attributes: ['id'], page: { page: 1, size: 1 } };
    const inFlight = Promise.all([ask(query), ask(query)]);
    await until(async () => metricOf(await metrics(), 'http_requests_in_flight') === 2);
    child.kill('SIGTERM');
    expect((await inFlight).map(({ status }) => status)).toEqual([200, 200]);
    expect((await ended).code).toBe(0);
    expect(pids.filter((pid) => childrenOf(child.pid).includes(pid))).toEqual([]);
  });

  it('ends with one line when the settings do not fit the database', async () => {
    const { file } = temporaryDatabase();
    const { ended } = launch(['--database', `sqlite:${file}`, '--workers', '2'], {
      DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN,
    });
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^dynamic-query: models: none is exposed\. .*\n$/);
  });
});
