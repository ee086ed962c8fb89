import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { sha256 } from '../src/access/tokens.ts';
import { CITIES, ENDLESS, until } from './helper.ts';
import { metricOf, startWorkers } from './two-workers.ts';

const REVOKED = 'dq_revoked-0123456789abcdefghijklmnopqrstuv';

/** A second token, with every right that the settings can give. */
const WITH_SECOND_TOKEN = {
  roles: { all: { models: { cities: {} } } },
  tokens: [{ name: 'second', role: 'all', sha256: sha256(REVOKED) }],
};

/** With a view that a request reads until its worker ends. */
const WITH_ENDLESS = {
  models: { endless: { key: ['id'] } },
  verify_keys: 'off',
  limits: { query_timeout_ms: 240_000 },
};

const SILENT = 'a worker does not answer; it gets no connections';
const LOST = 'a worker that does not answer is killed';
const REPLACED = 'a worker was started again';

/** Stops a process until the test ends at the latest. */
function freeze(pid: number): void {
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGCONT');
    } catch {
      // It was replaced.
    }
  });
}

function settingsIn(config: string): { readonly database: string } {
  return JSON.parse(readFileSync(config, 'utf8')) as { readonly database: string };
}

describe.skipIf(process.platform === 'win32')('a service of two workers', () => {
  it('takes over settings while one of them is frozen, and serves no more with the old ones', async () => {
    const { ask, config, metrics, output, workers } = await startWorkers(WITH_SECOND_TOKEN);
    expect((await ask(undefined, REVOKED)).status).toBe(200);
    const [frozen = 0] = workers();
    freeze(frozen);
    writeFileSync(config, JSON.stringify({ ...settingsIn(config), tokens: [] }));
    await until(() => output().includes('"msg":"settings reloaded"'));
    expect(output()).toContain(SILENT);
    await until(() => output().includes(REPLACED));
    expect(workers()).not.toContain(frozen);
    const revoked = await Promise.all(Array.from({ length: 6 }, () => ask(undefined, REVOKED)));
    expect(revoked.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 401));
    expect((await ask()).status).toBe(200);
    const silences = metricOf(await metrics(), 'dynamic_query_worker_silences_total');
    expect(silences).toBeGreaterThanOrEqual(1);
  });

  it('refuses a revoked token with the other worker while the frozen one is not replaced yet', async () => {
    const { ask, config, output, workers } = await startWorkers(WITH_SECOND_TOKEN);
    const [frozen = 0, other = 0] = workers();
    const file = settingsIn(config).database.replace('sqlite:', '');
    // No worker starts while the database is away.
    renameSync(file, `${file}.away`);
    freeze(frozen);
    writeFileSync(config, JSON.stringify({ ...settingsIn(config), tokens: [] }));
    await until(async () => (await ask(undefined, REVOKED)).status === 401);
    const refused = new RegExp(`"pid":${other},.*"status":401`);
    await until(() => refused.test(output()));
    expect(output()).not.toContain(LOST);
    expect(output()).not.toContain(REPLACED);
    renameSync(`${file}.away`, file);
    await until(() => output().includes(REPLACED));
    expect(workers()).not.toContain(frozen);
    expect((await ask(undefined, REVOKED)).status).toBe(401);
  });

  it('closes the connection of a request that is in flight in a frozen worker when that is killed', async () => {
    const { ask, metrics, output, workers } = await startWorkers(WITH_ENDLESS, CITIES + ENDLESS);
    const page = { page: 1, size: 1 };
    let ended = '';
    void ask({ query_model: 'endless', query_attributes: ['id'], page }).then(
      ({ status }) => (ended = `status ${status}`),
      (error: Error) => (ended = String(error.cause)),
    );
    await until(async () => metricOf(await metrics(), 'http_requests_in_flight') === 1);
    // Whichever has it.
    for (const pid of workers()) freeze(pid);
    await until(() => ended !== '');
    expect(ended).toMatch(/other side closed|ECONNRESET/);
    await until(() => output().split(REPLACED).length === 3);
    expect(output()).toContain(LOST);
    expect((await ask()).status).toBe(200);
  });

  it('hands connections to a worker again that was frozen, and none to one that still is', async () => {
    const { ask, output, workers } = await startWorkers();
    const [frozen = 0] = workers();
    freeze(frozen);
    await until(() => output().includes(SILENT));
    process.kill(frozen, 'SIGCONT');
    await until(() => output().includes('a worker answers again'));
    await until(async () => {
      await ask();
      return new RegExp(`"pid":${frozen},.*"msg":"answered"`).test(output());
    });
    freeze(frozen);
    await until(() => output().lastIndexOf(SILENT) > output().indexOf('a worker answers again'));
    const replies = await Promise.all(Array.from({ length: 6 }, () => ask()));
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  });

  it('answers with another worker what was handed to one that is killed and had not taken it', async () => {
    const { ask, output, workers } = await startWorkers();
    const [frozen = 0] = workers();
    freeze(frozen);
    const statuses: number[] = [];
    const asked = Array.from({ length: 6 }, async () => statuses.push((await ask()).status));
    // It gets no more connections before it has taken the first.
    await until(() => statuses.length === 5);
    process.kill(frozen, 'SIGKILL');
    await Promise.all(asked);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    await until(() => output().includes(REPLACED));
  });

  it('lets connections wait while all workers are killed at once, and refuses none', async () => {
    const { ask, origin, output, workers } = await startWorkers();
    const killed = workers();
    for (const pid of killed) freeze(pid);
    const waiting = Array.from({ length: 6 }, () => ask());
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    const { hostname, port } = new URL(origin);
    while (output().match(/a worker was started again/g)?.length !== 2) {
      const connection = connect({ host: hostname, port: Number(port) });
      await once(connection, 'connect');
      connection.destroy();
    }
    const replies = await Promise.all(waiting);
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
  });

  it('ends a connection whose request does not come in time, in the worker that took it', async () => {
    const { origin } = await startWorkers();
    const { hostname, port } = new URL(origin);
    const connection = connect({ host: hostname, port: Number(port) });
    connection.write('GET /livez HTTP/1.1\r\n');
    const [data] = (await once(connection, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1\.1 408 /);
  });
});
