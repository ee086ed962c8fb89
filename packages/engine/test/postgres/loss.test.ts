import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { readPostgresUrl } from '../../src/sources/postgres/connection/url.ts';
import { Database } from '../../src/sources/postgres/connection/database.ts';
import { openPostgres } from '../../src/sources/postgres/source.ts';
import { Connector } from '../../src/sources/postgres/connection/connect.ts';
import { callOf } from '../call.ts';
import { outcome } from '../outcome.ts';
import { startProxy } from '../proxy.ts';
import { ENDLESS, read, terminateAll, untilRunning, usePostgres, useSources } from './server.ts';

const ONE = `select '1', 1`;

// What goes unhandled, a rejection or an error event, fails the run.
describe('a source on PostgreSQL', () => {
  const postgres = usePostgres('create table locked (id int primary key)');
  const openSource = useSources(postgres);

  it('survives the loss of its idle connections', async () => {
    const source = await openSource({ connections: 3 });
    await Promise.all([1, 2, 3].map(() => read(source, ONE)));
    await terminateAll(postgres());
    expect(await read(source, ONE)).toBe('1');
    await terminateAll(postgres());
    await sleep(50);
    expect(await Promise.all([1, 2, 3].map(() => read(source, ONE)))).toEqual(['1', '1', '1']);
  });

  it('drops its idle connections when one is lost, since the others may be lost without a sign', async () => {
    const proxy = await startProxy(Number(new URL(postgres().url).port));
    const limits = { connections: 4, maxWaiting: 10, maxWaitMs: 2000 };
    const source = await openPostgres(`postgres://postgres@127.0.0.1:${proxy.port}/postgres`, {
      limits,
      pooler: 'none',
    });
    await Promise.all([1, 2, 3].map(() => read(source, 'select pg_sleep(0.2)::text, 1')));
    expect(proxy.connections()).toBeGreaterThan(2);
    proxy.breakWhenUsed();
    expect(await read(source, ONE)).toBe('1');
    await source.close();
    await proxy.close();
  });

  it('trusts no version that was read while a connection broke', async () => {
    const connector = new Connector(readPostgresUrl(postgres().url), {
      pooler: 'auto',
      queryTimeoutMs: 10_000,
    });
    const database = await Database.open(connector, {
      connections: 1,
      maxWaiting: 10,
      maxWaitMs: 2000,
    });
    const once = { statement: { sql: 'select 1', parameters: [] }, named: false };
    const versionAfter = async (work: () => Promise<unknown>): Promise<string | undefined> => {
      const { version } = await database.versions.of(async () => {
        await work();
        return { version: '7:7:' };
      });
      return version;
    };
    const call = callOf();
    expect(await versionAfter(() => database.ask(once, call))).toBe('0/7:7:');
    const breaking = async (): Promise<void> => {
      await terminateAll(postgres());
      const left = `select count(*) from pg_stat_activity where application_name = 'dynamic-query'`;
      await expect.poll(() => postgres().client(left)).toBe('0');
      await database.ask(once, call);
    };
    expect(await versionAfter(breaking)).toBeUndefined();
    expect(await versionAfter(() => database.ask(once, call))).toMatch(/^[1-9]\d*\/7:7:$/);
    await database.close();
  });

  it('asks once more when the connection is lost under a query', async () => {
    const source = await openSource();
    const asked = read(source, `select pg_sleep(0.8)::text || 'slept', 1`);
    await untilRunning(postgres(), 1);
    await terminateAll(postgres());
    expect(await asked).toBe('slept');
  });

  it('gives up when the connection is lost a second time', async () => {
    const source = await openSource();
    const asked = outcome(read(source, ENDLESS));
    for (let times = 0; times < 2; times++) {
      await untilRunning(postgres(), 1);
      await terminateAll(postgres());
    }
    expect(await asked).toBe('database_unavailable');
    expect(await read(source, ONE)).toBe('1');
  });

  it('serves again after a restart of the server, without one of its own', async () => {
    const source = await openSource({ connections: 2 });
    const outcomes = new Set<string>();
    const restart = postgres().restart();
    while ((await Promise.race([restart.then(() => 'restarted'), sleep(5)])) !== 'restarted') {
      outcomes.add(await outcome(read(source, ONE)));
    }
    expect(await read(source, ONE)).toBe('1');
    expect(
      [...outcomes].filter((code) => code !== 'answered' && code !== 'database_unavailable'),
    ).toEqual([]);
  });

  it('says so while the server is down, also to who asks whether it is there', async () => {
    const source = await openSource({ connections: 2 });
    await postgres().halt();
    expect(await Promise.all([1, 2, 3].map(() => outcome(read(source, ONE))))).toEqual(
      Array.from({ length: 3 }, () => 'database_unavailable'),
    );
    expect(await outcome(source.ping())).toBe('database_unavailable');
    expect(await outcome(source.introspect())).toBe('database_unavailable');
    expect(await outcome(openPostgres(postgres().url))).toBe('database_unavailable');
    await postgres().restart();
    expect(await outcome(source.ping())).toBe('answered');
  });

  it('refuses a query that finds no connection in time, and those beyond the queue at once', async () => {
    const source = await openSource({ maxWaiting: 2, maxWaitMs: 300 });
    const controller = new AbortController();
    const busy = outcome(read(source, ENDLESS, { signal: controller.signal }));
    await untilRunning(postgres(), 1);
    const started = performance.now();
    const waiting = [1, 2].map(() => outcome(read(source, ONE)));
    expect(await outcome(read(source, ONE))).toBe('overloaded');
    expect(performance.now() - started).toBeLessThan(1000);
    expect(await Promise.all(waiting)).toEqual(['overloaded', 'overloaded']);
    expect(performance.now() - started).toBeLessThan(5000);
    controller.abort();
    expect(await busy).toBe('cancelled');
    expect(await read(source, ONE)).toBe('1');
  });

  it('does not hang behind a lock', async () => {
    const source = await openSource();
    const holder = postgres().client('begin; lock table locked; select pg_sleep(4)');
    await untilRunning(postgres(), 1);
    const started = performance.now();
    expect(await outcome(read(source, `select count(*)::text, 1 from locked`))).toBe(
      'database_unavailable',
    );
    expect(performance.now() - started).toBeLessThan(10000);
    await holder;
  });

  it('distinguishes what is missing from an error of the statement', async () => {
    const source = await openSource();
    expect(await outcome(read(source, `select '1', 1 from missing`))).toBe('schema_changed');
    expect(await outcome(read(source, `select missing, 1 from locked`))).toBe('schema_changed');
    expect(await outcome(read(source, `select 1 +`))).toMatch(/^Error: PostgreSQL 42601: /);
    expect(await outcome(read(source, `select (1 / 0)::text, 1`))).toBe('data_error');
  });

  it('lets a running query end when it is closed, and refuses others', async () => {
    const source = await openSource({ connections: 2 });
    const short = outcome(read(source, `select pg_sleep(0.8)::text, 1`));
    await untilRunning(postgres(), 1);
    const closing = source.close();
    expect(await outcome(read(source, ONE))).toBe('shutting_down');
    await closing;
    expect(await short).toBe('answered');
  });

  it('does not wait for a long query when it is closed', async () => {
    const source = await openSource();
    const long = outcome(read(source, ENDLESS));
    await untilRunning(postgres(), 1);
    const started = performance.now();
    await source.close();
    expect(performance.now() - started).toBeLessThan(6000);
    expect(await long).toMatch(/shutting_down|database_unavailable/);
    // The server looks for the connection every second.
    await untilRunning(postgres(), 0);
  });

  it('cannot be opened where no server listens, or one that says nothing', async () => {
    const silent = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    const { port } = silent.address() as { port: number };
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const started = performance.now();
    expect(await outcome(openPostgres(url))).toBe('database_unavailable');
    expect(performance.now() - started).toBeLessThan(12000);
    await new Promise((resolve) => {
      silent.close(resolve);
    });
    expect(await outcome(openPostgres(url))).toBe('database_unavailable');
  });
});
