import { once } from 'node:events';
import { connect } from 'node:net';

import { describe, expect, it } from 'vitest';

import { CITIES, CLOSING, ENDLESS, until } from './helper.ts';
import {
  freeze,
  metricOf,
  REPLACED,
  sharedWorkers,
  startWorkers,
  statusesOf,
  timesIn,
} from './two-workers.ts';

const SETTINGS = {
  models: { cities: {}, endless: { key: ['id'] } },
  verify_keys: 'off',
  limits: { query_timeout_ms: 240_000 },
};

describe.skipIf(process.platform === 'win32')('a service whose workers are killed', async () => {
  if (process.platform === 'win32') return;
  const { ask, metrics, output, port, workers } = await sharedWorkers(SETTINGS, CITIES + ENDLESS);

  /** What is logged from now on. */
  const logFromNow = (): (() => string) => {
    const { length } = output();
    return () => output().slice(length);
  };
  const askSixTimes = () => Promise.all(Array.from({ length: 6 }, () => ask()));

  it('answers with another worker what was handed to one that is killed and had not taken it', async () => {
    const log = logFromNow();
    const [frozen = 0] = workers();
    freeze(frozen);
    const statuses: number[] = [];
    const asked = Array.from({ length: 6 }, async () => statuses.push((await ask()).status));
    // It gets no more connections before it has taken the first.
    await until(() => statuses.length >= 5);
    process.kill(frozen, 'SIGKILL');
    await Promise.all(asked);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    await until(() => log().includes(REPLACED));
  });

  it('closes the connections whose requests run in workers that are killed, and lets others wait for new workers', async () => {
    const log = logFromNow();
    let ended = '';
    const page = { page: 1, size: 1 };
    void ask({ query_model: 'endless', query_attributes: ['id'], page }).then(
      ({ status }) => (ended = `status ${status}`),
      (error: Error) => (ended = String(error.cause)),
    );
    await until(async () => metricOf(await metrics(), 'http_requests_in_flight') === 1);
    const killed = workers();
    for (const pid of killed) freeze(pid);
    const waiting = askSixTimes();
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    await until(() => ended !== '');
    expect(ended).toMatch(/other side closed|ECONNRESET/);
    for (let time = 0; time < 50; time += 1) {
      const connection = connect(port, '127.0.0.1');
      await once(connection, 'connect');
      connection.destroy();
    }
    await until(() => timesIn(log(), REPLACED) >= 2);
    expect(statusesOf(await waiting)).toEqual([200, 200, 200, 200, 200, 200]);
  });
});

it.skipIf(process.platform === 'win32')(
  'a worker that replaces another while the service drains is not ready either',
  async () => {
    const { child, origin, output, workers } = await startWorkers({ limits: { drain_ms: 60_000 } });
    const [killed = 0] = workers();
    child.kill('SIGTERM');
    const readiness = async () => (await fetch(`${origin}/readyz`, { headers: CLOSING })).status;
    await until(async () => (await readiness()) === 503);
    process.kill(killed, 'SIGKILL');
    await until(() => output().includes(REPLACED));
    expect(await Promise.all(Array.from({ length: 8 }, readiness))).toEqual(Array(8).fill(503));
  },
);
