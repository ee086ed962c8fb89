import { readFileSync, writeFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { sha256 } from '../src/access/tokens.ts';
import { cityQuery, MODELS_PATH, temporaryDatabase, until } from './helper.ts';
import { launch } from './server-process.ts';
import { childrenOf, metricOf, sharedWorkers, TOKEN } from './two-workers.ts';

/** Limits are of each token. */
const [ONE, OTHER] = ['one', 'other'].map(
  (name) => `dq_${name}-0123456789abcdefghijklmnopqrstuvwxyz`,
) as [string, string];

const TOKENS = {
  roles: { all: { models: 'all' } },
  tokens: [ONE, OTHER].map((token, index) => ({
    name: `token-${index}`,
    role: 'all',
    sha256: sha256(token),
  })),
};

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

/** How a model is answered that settings may bring, whichever worker is asked. */
async function townsOf(origin: string): Promise<Set<number>> {
  const headers = { authorization: `Bearer ${TOKEN}`, connection: 'close' };
  const get = async () => fetch(`${origin}${MODELS_PATH}/towns`, { headers });
  const replies = await Promise.all(Array.from({ length: 8 }, get));
  return new Set(replies.map(({ status }) => status));
}

const isWindows = process.platform === 'win32';

describe.skipIf(isWindows)('two workers', async () => {
  if (isWindows) return;
  const rate_limits = { requests_per_minute: 25, rows_per_day: 100, failures_per_minute: 5 };
  const { ask, exportAll, metrics, output, workers } = await sharedWorkers({
    ...TOKENS,
    audit: 'stdout',
    rate_limits,
  });

  it('answer on one port, add up their metrics, and log each line as a whole', async () => {
    const replies = await Promise.all(Array.from({ length: 24 }, () => ask()));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => 200));
    await until(async () => metricOf(await metrics(), ANSWERED) === 24);
    expect(metricOf(await metrics(), 'dynamic_query_workers')).toBe(2);
    await until(() => output().match(/"outcome":"ok"/g)?.length === 24);
    const replied = repliesByProcess(output());
    expect(new Set(replied.keys())).toEqual(new Set(workers()));
    const lines = output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    expect(lines.every((line) => typeof JSON.parse(line) === 'object')).toBe(true);
  });

  it('let through no more requests of a token together than the limit', async () => {
    const replies = await Promise.all(Array.from({ length: 60 }, () => ask(undefined, ONE)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBe(25);
    expect(statuses.filter((status) => status === 429).length).toBe(35);
  });

  it('let exports begin as long as the quota has all of their records', async () => {
    const statuses: number[] = [];
    while (statuses.length < 6) {
      const reply = await exportAll(OTHER);
      await reply.text();
      statuses.push(reply.status);
    }
    // Each has 42 records.
    expect(statuses).toEqual([200, 200, 429, 429, 429, 429]);
  });

  it('refuse an address once it has sent too many invalid tokens to any of them', async () => {
    for (let time = 0; time < 5; time += 1)
      expect((await ask(cityQuery(1, 1), 'wrong')).status).toBe(401);
    // The workers learn of it from the process that counts.
    await until(async () => {
      const replies = [await ask(cityQuery(1, 1), 'wrong'), await ask(cityQuery(1, 1), 'wrong')];
      return replies.every(({ status }) => status === 429);
    });
  });
});

/** An export of far more than is ever on its way to a caller, and a view that takes a while. */
const SLOW = `create table cities (id integer primary key, name text not null);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000)
  insert into cities select i, printf('%0500d', i) from n;
  create view slow as with recursive n(i) as
    (select 1 union all select i + 1 from n where i < 3000000) select max(i) as id from n;`;

describe.skipIf(isWindows)('a service of two workers', async () => {
  if (isWindows) return;
  const { ask, child, config, ended, exportAll, metrics, origin, output, workers } =
    await sharedWorkers(
      {
        ...TOKENS,
        models: { slow: { key: ['id'] } },
        verify_keys: 'off',
        limits: { query_timeout_ms: 60_000, exports: 8 },
        rate_limits: { concurrent_queries: 3 },
      },
      SLOW,
    );

  it('counts exports that run in one worker as queries that run, in the other too', async () => {
    const exports = await Promise.all([exportAll(ONE), exportAll(ONE), exportAll(ONE)]);
    expect(exports.map(({ status }) => status)).toEqual([200, 200, 200]);
    const page = cityQuery(1, 1);
    const asked = await Promise.all(Array.from({ length: 12 }, () => ask(page, ONE)));
    expect(asked.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 429));
    for (const { body } of exports) await body?.cancel();
    await until(async () => (await ask(page, ONE)).status === 200);
  });

  it('starts another worker where one is killed, goes on answering meanwhile, and loses no count', async () => {
    const before = metricOf(await metrics(), ANSWERED);
    for (let time = 0; time < 6; time += 1) expect((await ask()).status).toBe(200);
    expect(metricOf(await metrics(), ANSWERED)).toBe(before + 6);
    const [killed = 0, other] = workers();
    process.kill(killed, 'SIGKILL');
    await until(() => output().includes('a worker has ended; another one is started'));
    for (let time = 0; time < 6; time += 1) expect((await ask()).status).toBe(200);
    await until(() => output().includes('a worker was started again'));
    expect(workers()).toContain(other);
    expect(workers().length).toBe(2);
    const text = await metrics();
    expect(metricOf(text, ANSWERED)).toBe(before + 12);
    expect(metricOf(text, 'dynamic_query_worker_restarts_total')).toBe(1);
  });

  it('applies settings in all workers, or in none, also in one that is started later', async () => {
    const before = JSON.parse(readFileSync(config, 'utf8')) as { readonly models: object };
    const withTowns = { ...before.models, towns: { source: 'cities', attributes: 'all' } };
    writeFileSync(config, JSON.stringify({ ...before, models: withTowns }));
    await until(() => output().includes('settings and catalogue reloaded'));
    expect(await townsOf(origin)).toEqual(new Set([200]));
    const wrong = { roles: { clerk: { models: { nowhere: {} } } } };
    writeFileSync(config, JSON.stringify({ ...before, ...wrong }));
    await until(() => output().includes('reload failed, keeping the previous settings'));
    expect(await townsOf(origin)).toEqual(new Set([200]));
    const restarts = output().split('a worker was started again').length;
    process.kill(workers()[0] ?? 0, 'SIGKILL');
    await until(() => output().split('a worker was started again').length > restarts);
    expect(await townsOf(origin)).toEqual(new Set([200]));
  });

  it('drains all workers on SIGTERM, answers what is in flight, and leaves no process behind', async () => {
    const pids = workers();
    const query = { query_model: 'slow', query_attributes: ['id'], page: { page: 1, size: 1 } };
    const inFlight = Promise.all([ask(query, ONE), ask(query, OTHER)]);
    await until(async () => metricOf(await metrics(), 'http_requests_in_flight') === 2);
    child.kill('SIGTERM');
    expect((await inFlight).map(({ status }) => status)).toEqual([200, 200]);
    expect((await ended).code).toBe(0);
    expect(pids.filter((pid) => childrenOf(child.pid).includes(pid))).toEqual([]);
  });
});

it('a service of two workers ends with one line when the settings do not fit the database', async () => {
  const { file } = temporaryDatabase();
  const { ended } = launch(['--database', `sqlite:${file}`, '--workers', '2'], {
    DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN,
  });
  const { code, stdout, stderr } = await ended;
  expect(code).toBe(1);
  expect(stdout).not.toContain('Dynamic Query answers');
  expect(stderr).toMatch(/^dynamic-query: models: none is exposed\. .*\n$/);
});
