import { writeFileSync } from 'node:fs';

import type { RunningService } from '@proj/test-servers';
import { describe, expect, it } from 'vitest';

import { CITIES, cityQuery, sendTo, temporaryDatabase, until } from './helper.ts';
import { readersOf } from './processes.ts';
import { startServer } from './server-process.ts';

/** A view that takes a while to read: long enough to be stopped at, short enough to wait for. */
const SLOW = `create view slow as
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select max(i) as id from n;`;
const TOKEN = 'signal-token';

async function started(
  env: Readonly<Record<string, string>> = {},
): Promise<RunningService & { file: string }> {
  const { directory, file } = temporaryDatabase(CITIES + SLOW);
  writeFileSync(
    `${directory}/settings.yaml`,
    `database: sqlite:${file}\nexpose: all\nmodels: { slow: { key: [id] } }\n`,
  );
  const server = await startServer(['--config', `${directory}/settings.yaml`], {
    DYNAMIC_QUERY_ADMIN_TOKEN: TOKEN,
    QUERY_TIMEOUT_MS: '60000',
    ...env,
  });
  return { ...server, file };
}

const ask = (origin: string, body: unknown): Promise<Response> =>
  sendTo(origin, body, { token: TOKEN });

const SLOW_QUERY = { query_model: 'slow', query_attributes: ['id'], page: { page: 1, size: 1 } };

const ready = async (origin: string): Promise<number> => (await fetch(`${origin}/readyz`)).status;

describe.skipIf(process.platform === 'win32')('a server that gets a signal to stop', () => {
  it.each([
    ['SIGTERM', '100'],
    // Ctrl-C does not wait for a balancer.
    ['SIGINT', '600000'],
  ] as const)(
    'by %s answers what is in flight, and ends with 0 and without readers when its time to drain is over',
    async (signal, drainMs) => {
      const { child, metricsUrl, origin, ended, file } = await started({
        METRICS_PORT: '0',
        DRAIN_MS: drainMs,
      });
      const inFlight = ask(origin, SLOW_QUERY);
      const metrics = async () => (await fetch(metricsUrl)).text();
      await until(async () => /^http_requests_in_flight 1$/m.test(await metrics()));
      child.kill(signal);
      const reply = await inFlight;
      expect(await reply.json()).toEqual({
        result: [{ id: 3_000_000 }],
        page: { page: '1', size: '1', total: '1', has_next: false },
      });
      expect((await ended).code).toBe(0);
      expect(readersOf(file)).toEqual([]);
      await expect(ask(origin, cityQuery(1, 1))).rejects.toThrow('fetch failed');
    },
  );

  it('by SIGTERM lets readiness fall first and loses no request of callers who ask without a pause while it drains, and ends at once by a second signal', async () => {
    const { child, origin, ended, file } = await started({ DRAIN_MS: '600000' });
    expect(await ready(origin)).toBe(200);
    child.kill('SIGTERM');
    await until(async () => (await ready(origin)) === 503);
    const caller = async (): Promise<number[]> => {
      const statuses: number[] = [];
      while (statuses.length < 10) statuses.push((await ask(origin, cityQuery(1, 5))).status);
      return statuses;
    };
    const statuses = await Promise.all([caller(), caller(), caller(), caller()]);
    expect(new Set(statuses.flat())).toEqual(new Set([200]));
    expect((await fetch(`${origin}/livez`)).status).toBe(200);
    expect(await (await fetch(`${origin}/readyz`)).json()).toMatchObject({
      status: 503,
      code: 'shutting_down',
    });
    child.kill('SIGTERM');
    expect((await ended).code).toBe(1);
    await until(() => readersOf(file).length === 0);
  });
});

it.skipIf(process.platform === 'win32')(
  'a server whose readers are killed goes on with new ones, and leaves none behind when it is killed itself',
  async () => {
    const { file, origin, child, ended } = await started();
    const killed = readersOf(file);
    expect(killed.length).toBeGreaterThan(0);
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    await until(async () => (await ask(origin, cityQuery(1, 1))).status === 200);
    await until(async () => (await ready(origin)) === 200);
    expect(readersOf(file).filter((pid) => killed.includes(pid))).toEqual([]);
    child.kill('SIGKILL');
    await ended;
    await until(() => readersOf(file).length === 0);
  },
);
