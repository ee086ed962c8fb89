import { readFileSync, renameSync, writeFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { sha256 } from '../src/access/tokens.ts';
import { CITIES, ENDLESS, until } from './helper.ts';
import { freeze, metricOf, REPLACED, sharedWorkers, statusesOf, timesIn } from './two-workers.ts';

const REVOKED = ['first', 'second'].map((name) => `dq_${name}-0123456789abcdefghijklmnopqrstuv`);

const SETTINGS = {
  models: { cities: {}, endless: { key: ['id'] } },
  verify_keys: 'off',
  limits: { query_timeout_ms: 240_000 },
  roles: { all: { models: { cities: {} } } },
  tokens: REVOKED.map((token, index) => ({
    name: `token-${index}`,
    role: 'all',
    sha256: sha256(token),
  })),
};

const SILENT = 'a worker does not answer; it gets no connections';
const LOST = 'a worker that does not answer is killed';

describe.skipIf(process.platform === 'win32')('a service of two workers', async () => {
  if (process.platform === 'win32') return;
  const { ask, config, file, metrics, output, workers } = await sharedWorkers(
    SETTINGS,
    CITIES + ENDLESS,
  );

  /** What is logged from now on. */
  const logFromNow = (): (() => string) => {
    const { length } = output();
    return () => output().slice(length);
  };
  const askSixTimes = () => Promise.all(Array.from({ length: 6 }, () => ask()));

  /** Takes a token out of the settings file. */
  function revoke(token: string): void {
    const settings = JSON.parse(readFileSync(config, 'utf8')) as typeof SETTINGS;
    const tokens = settings.tokens.filter((one) => one.sha256 !== sha256(token));
    writeFileSync(config, JSON.stringify({ ...settings, tokens }));
  }

  it('hands connections to a worker again that was frozen, and none to one that still is', async () => {
    const log = logFromNow();
    const [frozen = 0] = workers();
    freeze(frozen);
    await until(() => log().includes(SILENT));
    process.kill(frozen, 'SIGCONT');
    await until(() => log().includes('a worker answers again'));
    await until(async () => {
      await ask();
      return new RegExp(`"pid":${frozen},.*"msg":"answered"`).test(log());
    });
    freeze(frozen);
    await until(() => log().lastIndexOf(SILENT) > log().indexOf('a worker answers again'));
    expect(statusesOf(await askSixTimes())).toEqual([200, 200, 200, 200, 200, 200]);
    const silences = metricOf(await metrics(), 'dynamic_query_worker_silences_total');
    expect(silences).toBeGreaterThanOrEqual(2);
    process.kill(frozen, 'SIGCONT');
    await until(() => timesIn(log(), 'a worker answers again') >= 2);
  });

  it('refuses a revoked token with the other worker while the frozen one is not replaced yet', async () => {
    const log = logFromNow();
    const [token = ''] = REVOKED;
    expect((await ask(undefined, token)).status).toBe(200);
    const [frozen = 0, other = 0] = workers();
    // No worker starts while the database is away.
    renameSync(file, `${file}.away`);
    freeze(frozen);
    revoke(token);
    await until(async () => (await ask(undefined, token)).status === 401);
    const refused = new RegExp(`"pid":${other},.*"status":401`);
    await until(() => refused.test(log()));
    expect(log()).not.toContain(LOST);
    expect(log()).not.toContain(REPLACED);
    renameSync(`${file}.away`, file);
    await until(() => log().includes(REPLACED));
    expect(workers()).not.toContain(frozen);
    expect((await ask(undefined, token)).status).toBe(401);
  });

  it('takes over settings while one of them is frozen, and serves no more with the old ones', async () => {
    const log = logFromNow();
    const [, token = ''] = REVOKED;
    expect((await ask(undefined, token)).status).toBe(200);
    const [frozen = 0] = workers();
    freeze(frozen);
    revoke(token);
    await until(() => log().includes('"msg":"settings reloaded"'));
    expect(log()).toContain(SILENT);
    await until(() => log().includes(REPLACED));
    expect(workers()).not.toContain(frozen);
    const revoked = await Promise.all(Array.from({ length: 6 }, () => ask(undefined, token)));
    expect(statusesOf(revoked)).toEqual([401, 401, 401, 401, 401, 401]);
    expect((await ask()).status).toBe(200);
  });
});
