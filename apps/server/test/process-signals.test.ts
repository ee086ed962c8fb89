import { writeFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { CITIES, cityQuery, QUERY_PATH, temporaryDatabase, until } from './helper.ts';
import { readersOf } from './processes.ts';
import { type ServerProcess, startServer } from './server-process.ts';

/** A view that takes a while to read: long enough to be stopped at, short enough to wait for. */
const SLOW = `create view slow as
  with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select max(i) as id from n;`;
const TOKEN = 'signal-token';

async function started(env: Readonly<Record<string, string>> = {}): Promise<ServerProcess & { file: string }> {
  const { directory, file } = temporaryDatabase(CITIES + SLOW);
  writeFileSync(`${directory}/settings.yaml`, `database: sqlite:${file}\nexpose: all\nmodels: { slow: { key: [id] } }\n`);
  const server = await startServer(['--config', `${directory}/settings.yaml`], {
    DYNAMIC_QUERY_TOKEN: TOKEN,
    QUERY_TIMEOUT_MS: '60000',
    ...env,
  });
  return { ...server, file };
}

function ask(origin: string, body: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  return fetch(origin + QUERY_PATH, { method: 'POST', headers, body: JSON.stringify(body) });
}

const SLOW_QUERY = { query_model: 'slow', query_attributes: ['id'], page: { page: 1, size: 1 } };

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

describe.skipIf(process.platform === 'win32')('a server that is told to stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s answers what is in flight, and ends with 0 and without readers',
    async (signal) => {
      const { child, origin, ended, file } = await started();
      const inFlight = ask(origin, SLOW_QUERY);
      await pause(150);
      child.kill(signal);
      const reply = await inFlight;
      expect(await reply.json()).toEqual({
        result: [{ id: '3000000' }],
        page: { page: '1', size: '1', total: '1', has_next: false },
      });
      expect((await ended).code).toBe(0);
      expect(readersOf(file)).toEqual([]);
      await expect(ask(origin, cityQuery(1, 1))).rejects.toThrow('fetch failed');
    },
  );

  it('by SIGTERM lets readiness fall first and still answers while it drains', async () => {
    const { child, origin, ended, file } = await started({ DRAIN_MS: '1200' });
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    const told = performance.now();
    child.kill('SIGTERM');
    await until(async () => (await fetch(`${origin}/readyz`)).status === 503, 1000);
    for (let round = 0; round < 5; round++) {
      expect((await ask(origin, cityQuery(1, 1))).status).toBe(200);
      await pause(50);
    }
    expect((await fetch(`${origin}/livez`)).status).toBe(200);
    expect(await (await fetch(`${origin}/readyz`)).json()).toMatchObject({ status: 503, code: 'shutting_down' });
    expect((await ended).code).toBe(0);
    expect(performance.now() - told).toBeGreaterThan(1100);
    expect(readersOf(file)).toEqual([]);
  });

  it('by SIGINT does not wait for a balancer', async () => {
    const { child, ended, file } = await started({ DRAIN_MS: '60000' });
    const told = performance.now();
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
    expect(performance.now() - told).toBeLessThan(20000);
    expect(readersOf(file)).toEqual([]);
  });

  it('by a second signal ends at once', async () => {
    const { child, ended, file } = await started({ DRAIN_MS: '60000' });
    child.kill('SIGTERM');
    await pause(200);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(1);
    await until(() => readersOf(file).length === 0);
    expect(readersOf(file)).toEqual([]);
  });

  it('loses no request of callers who ask without a pause', async () => {
    const { child, origin, ended } = await started({ DRAIN_MS: '600' });
    const enough = AbortSignal.timeout(500);
    const statuses: number[] = [];
    child.kill('SIGTERM');
    const caller = async (): Promise<void> => {
      while (!enough.aborted) statuses.push((await ask(origin, cityQuery(1, 5))).status);
    };
    await Promise.all([caller(), caller(), caller(), caller()]);
    expect(statuses.length).toBeGreaterThan(8);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await ended).code).toBe(0);
  });
});

it.skipIf(process.platform === 'win32')('a server that is killed leaves no reader behind', async () => {
  const { child, ended, file, origin } = await started();
  expect((await ask(origin, cityQuery(1, 1))).status).toBe(200);
  expect(readersOf(file).length).toBeGreaterThan(0);
  child.kill('SIGKILL');
  await ended;
  await until(() => readersOf(file).length === 0);
  expect(readersOf(file)).toEqual([]);
});

it.skipIf(process.platform === 'win32')('a server whose readers are killed goes on with new ones', async () => {
  const { file, origin, child, ended } = await started();
  for (const pid of readersOf(file)) process.kill(pid, 'SIGKILL');
  await until(async () => (await ask(origin, cityQuery(1, 1))).status === 200);
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});
