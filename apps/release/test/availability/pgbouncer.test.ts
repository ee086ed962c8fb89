import {
  type Haproxy,
  hasHaproxy,
  hasPgBouncer,
  type PgBouncer,
  type PostgresServer,
  startHaproxy,
  startPgBouncer,
  startPostgres,
  until,
} from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Callers } from './callers.ts';
import { LEDGER, Ledger } from './ledger.ts';
import { PostgresWriter } from './postgres-writer.ts';
import { CLERK, type Service, startService } from './service.ts';

/** So many replies are looked at before each restart and after it. */
const REPLIES = 300;

const available = (hasHaproxy() && hasPgBouncer()) || process.env['CI'] !== undefined;

describe.skipIf(!available)('a service over two PgBouncers (left out without them)', () => {
  let server: PostgresServer;
  let poolers: PgBouncer[];
  let balancer: Haproxy;
  let service: Service;
  let writer: PostgresWriter;
  let ledger: Ledger;

  beforeAll(async () => {
    server = await startPostgres({ settings: { log_statement: 'none' } });
    await server.client(LEDGER);
    writer = new PostgresWriter(server.url);
    ledger = new Ledger((id) => writer.add(id));
    for (let count = 0; count < 1000; count++) await ledger.add();
    const start = (): Promise<PgBouncer> =>
      startPgBouncer({ server: server.url, mode: 'transaction' });
    poolers = [await start(), await start()];
    const ports = poolers.map(({ url }) => Number(new URL(url).port));
    balancer = await startHaproxy(ports, { lines: ['option redispatch 1'] });
    const url = `postgres://postgres@127.0.0.1:${balancer.port}/postgres`;
    service = await startService(`database: ${url}\nlimits: { query_timeout_ms: 60000 }`);
  });
  afterAll(async () => {
    await service.stop();
    await balancer.stop();
    await Promise.all(poolers.map((pooler) => pooler.stop()));
    await writer.end();
    await server.stop();
  });

  it('fails no request, and shows nothing older, while each is restarted', async () => {
    const writing = new AbortController();
    const written = ledger.addUntil(writing.signal);
    const callers = new Callers(ledger, { origin: service.origin, token: CLERK, count: 8 }).start();
    for (const pooler of [...poolers, ...poolers]) {
      const goal = callers.replies + REPLIES;
      await until(() => callers.replies >= goal, 300_000);
      await pooler.restart();
    }
    writing.abort();
    await Promise.all([callers.stop(), written]);
    console.log(`${callers.right} replies during four restarts`);
    expect([...callers.faults, ...callers.refused]).toEqual([]);
  });
});
