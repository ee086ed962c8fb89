import {
  type Haproxy,
  hasHaproxy,
  type PostgresServer,
  startHaproxy,
  startPostgres,
  until,
} from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Callers } from './callers.ts';
import { LEDGER, Ledger } from './ledger.ts';
import { PostgresWriter } from './postgres-writer.ts';
import { ANALYST, type Service, startService } from './service.ts';

const REQUESTS = 50_000;

/** Each of the two services has two processes. */
const SETTINGS = 'workers: 2\nlimits: { drain_ms: 10000, query_timeout_ms: 60000 }';

const available = hasHaproxy() || process.env['CI'] !== undefined;

describe.skipIf(!available)('four processes behind HAProxy (left out without it)', () => {
  let primary: PostgresServer;
  let standbys: PostgresServer[];
  let writer: PostgresWriter;
  let ledger: Ledger;
  let services: Service[];
  let balancer: Haproxy;

  beforeAll(async () => {
    primary = await startPostgres({
      settings: { wal_keep_size: '256MB', log_statement: 'none', max_connections: '100' },
    });
    await primary.client(LEDGER);
    standbys = [await primary.startStandby(), await primary.startStandby()];
    writer = new PostgresWriter(primary.url);
    ledger = new Ledger((id) => writer.add(id));
    for (let count = 0; count < 1000; count++) await ledger.add();
    services = [await startOne(), await startOne()];
    const ports = services.map(({ port }) => port);
    balancer = await startHaproxy(ports, {
      // A busy machine must not be why a service counts as down.
      lines: ['mode http', 'option httpchk GET /readyz', 'timeout check 10s'],
      server: () => 'check inter 500',
    });
  });
  afterAll(async () => {
    await balancer.stop();
    await Promise.all(services.map((service) => service.stop()));
    await writer.end();
    await Promise.all([primary, ...standbys].map((server) => server.stop()));
  });

  const startOne = (port?: number): Promise<Service> => {
    const replicas = standbys.map(({ url }) => `'${url}'`).join(', ');
    return startService(`database: ${primary.url}\nreplicas: [${replicas}]\n${SETTINGS}`, port);
  };

  /** Stops a service as an operator does, starts it again, and waits until it is used. */
  async function restart(index: number): Promise<void> {
    const { child, ended, port } = services[index] as Service;
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    const { metric } = (services[index] = await startOne(port));
    // The balancer sends it requests again.
    await until(async () => (await metric('dynamic_query_rows_total')) > 0);
  }

  it('fail no request and show nothing older while each restarts and replicas fail over', async () => {
    const writing = new AbortController();
    const written = ledger.addUntil(writing.signal);
    const origin = `http://127.0.0.1:${balancer.port}`;
    const callers = new Callers(ledger, { origin, token: ANALYST, count: 32 }).start();
    for (const [index, standby] of standbys.entries()) {
      const other = services[1 - index] as Service;
      await Promise.all([restart(index), failOver(standby, other)]);
      await until(() => callers.replies >= ((index + 1) * REQUESTS) / 2, 600_000);
    }
    writing.abort();
    await Promise.all([callers.stop(), written]);
    console.log(`${callers.right} replies, of which ${callers.fromReplica} from replicas`);
    expect([...callers.faults, ...callers.refused]).toEqual([]);
    expect(callers.right).toBeGreaterThanOrEqual(REQUESTS);
    expect(callers.fromReplica).toBeGreaterThan(0);
  });
});

/** A standby is killed, and comes back when a service has noticed. */
async function failOver(standby: PostgresServer, { metric }: Service): Promise<void> {
  const usable = `dynamic_query_replica_usable{replica="${new URL(standby.url).host}"}`;
  await until(async () => (await metric(usable)) > 0);
  process.kill(standby.pid, 'SIGKILL');
  await until(async () => (await metric(usable)) === 0);
  await standby.restart();
  await until(async () => (await metric(usable)) > 0);
}
