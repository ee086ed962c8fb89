import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';

import { type PostgresServer, startPostgres, until } from '@proj/test-servers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { Caller } from './support/caller.ts';
import { childrenOf } from './support/processes.ts';
import { startService, TOKEN } from './support/service.ts';

const CALLERS = 8;
const LIMIT = 4;
const ALL = { attributes: 'all' };
const RESTARTED = 'a worker was started again';

/** A query of `held` waits for whoever holds the lock. */
const TABLES = `
  create table orders (id bigint primary key, total integer not null);
  insert into orders select i, i from generate_series(1, 1000) i;
  create table invoices (id bigint primary key);
  create view held as select id from orders where pg_advisory_xact_lock_shared(1) is not null;`;

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.client(TABLES);
});

afterAll(() => postgres.stop());

describe('the built service with two workers over PostgreSQL, whose callers keep their connections,', () => {
  it('loses of a killed worker only what was in flight in it, and callers of the other notice nothing', async () => {
    const service = await startWorkers({ expose: 'all' });
    const callers = service.call(CALLERS);
    await until(() => service.workersOf(callers).size === 2 && callers.every(service.isLogged));
    const [killed = 0] = service.workers();
    const lost = callers.filter((caller) => service.workersOf([caller]).has(killed));
    process.kill(killed, 'SIGKILL');
    await until(() => service.output().includes(RESTARTED));
    const later = service.call(CALLERS);
    await until(() => service.workersOf(later).size === 2);
    expect(new Set(service.workers())).toEqual(service.workersOf(later));
    await endAll([...callers, ...later]);
    const others = callers.filter((caller) => !lost.includes(caller));
    expect([...others, ...later].flatMap(({ failures }) => failures)).toEqual([]);
    for (const { failures } of lost) expect(['', 'ECONNRESET']).toContain(failures.join());
  });

  it('answers by new settings in both workers from one moment on, without a failed request', async () => {
    const service = await startWorkers({ models: { orders: ALL } });
    const callers = service.call(CALLERS);
    await until(() => service.workersOf(callers).size === 2 && callers.every(service.isLogged));
    service.write({ models: { orders: ALL, invoices: ALL } });
    await until(() => service.output().includes('settings and catalogue reloaded'));
    const before = callers.map(({ asked }) => asked.length);
    for (const caller of callers) caller.body = query('invoices');
    await until(() => callers.every(({ asked }, index) => asked.length > (before[index] ?? 0) + 2));
    await endAll(callers);
    expect(callers.flatMap(({ failures }) => failures)).toEqual([]);
  });

  it('runs no more queries of a token at once than the limit, whichever worker gets them', async () => {
    const service = await startWorkers({
      models: { held: { ...ALL, key: ['id'] } },
      rate_limits: { concurrent_queries: LIMIT, requests_per_minute: 'unlimited' },
      limits: { query_timeout_ms: 120_000 },
    });
    const release = await holdLock();
    const callers = service.call(3 * LIMIT, query('held'));
    const refused = () => callers.filter(({ asked }) => asked[0]?.outcome === 429);
    await until(() => refused().length === 2 * LIMIT);
    await until(() => service.workersOf(refused()).size === 2);
    const waiting = callers.filter(({ asked }) => asked.length === 0);
    release();
    await until(() => waiting.every(({ asked }) => asked[0]?.outcome === 200));
    expect(waiting).toHaveLength(LIMIT);
    await endAll(callers);
  });

  it('drains both workers at SIGTERM: every connection is closed in turn, and no request fails', async () => {
    const service = await startWorkers({ expose: 'all', limits: { drain_ms: 5000 } });
    const callers = service.call(CALLERS);
    await until(() => service.workersOf(callers).size === 2);
    service.child.kill('SIGTERM');
    await Promise.all(callers.map(({ ended }) => ended));
    expect(callers.flatMap(({ failures }) => failures)).toEqual([]);
    expect((await service.ended).code).toBe(0);
  });
});

/** Starts the service, with what its tests want to know of it. */
async function startWorkers(settings: object) {
  const service = await startService({
    database: postgres.url,
    settings: { rate_limits: { requests_per_minute: 'unlimited' }, ...settings },
    args: ['--workers', '2'],
  });
  onTestFinished(service.stop);
  const { pid, output, file, origin } = service;
  const url = `${origin}/api/v1/dynamic/query`;
  const isLogged = ({ asked: [first] }: Caller): boolean =>
    first !== undefined && output().includes(first.id);
  return Object.assign(service, {
    write: (own: object): void => writeFileSync(file, JSON.stringify(own)),
    isLogged,
    /** Starts callers that ask until the test ends. */
    call(count: number, body: object = query('orders')): Caller[] {
      const callers = Array.from({ length: count }, () => new Caller(url, TOKEN, body));
      onTestFinished(() => endAll(callers));
      return callers;
    },
    /** The processes that have logged requests of callers. */
    workersOf: (callers: readonly Caller[]) => processesOf(output(), callers),
    workers: () => childrenOf(pid),
  });
}

function query(model: string): object {
  return { query_model: model, query_attributes: ['id'], page: { page: 1, size: 10 } };
}

function processesOf(log: string, callers: readonly Caller[]): Set<number> {
  const known = new Set(callers.flatMap(({ asked }) => asked.map(({ id }) => id)));
  const lines = log.split('\n').filter((line) => line.includes('"msg":"answered"'));
  const parsed = lines.map((line) => JSON.parse(line) as { pid: number; reqId: string });
  return new Set(parsed.filter(({ reqId }) => known.has(reqId)).map(({ pid }) => pid));
}

async function endAll(callers: readonly Caller[]): Promise<void> {
  await Promise.all(callers.map((caller) => caller.end()));
}

/** Has a session of its own take the lock, and gives what ends it. */
async function holdLock(): Promise<() => void> {
  const psql = spawn('psql', ['--no-psqlrc', '--quiet', postgres.url], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  onTestFinished(() => void psql.kill());
  psql.stdin.write('select pg_advisory_lock(1);\n');
  const held = `select count(*) from pg_locks where locktype = 'advisory' and granted`;
  await until(async () => (await postgres.client(held)) === '1');
  return () => psql.stdin.end();
}
