import { createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { readPostgresUrl } from '../../../postgres/src/connection/url.ts';
import { Database } from '../../../postgres/src/connection/database.ts';
import { openPostgres } from '../../../postgres/src/source.ts';
import type { Source } from '../../../engine/src/sources/source.ts';
import type { SessionStatement } from '../../../postgres/src/connection/session.ts';
import { Connector } from '../../../postgres/src/connection/connect.ts';
import { callOf } from '../../../engine/test/call.ts';
import { outcome } from '../outcome.ts';
import { startProxy } from '../proxy.ts';
import {
  closeGate,
  connect,
  ENDLESS,
  GATED,
  read,
  terminateAll,
  untilRunning,
  useOwnPostgres,
  useSources,
} from './server.ts';

const ONE = `select '1', 1`;

function statementOf(sql: string): SessionStatement {
  return { sql, parameters: [] };
}

// What goes unhandled, a rejection or an error event, fails the run.
describe('a source on PostgreSQL', () => {
  const postgres = useOwnPostgres({ sql: 'create table locked (id int primary key)' });
  const openSource = useSources(postgres);
  afterEach(() => vi.useRealTimers());

  /** Waits until the server has no session of the engine. */
  async function untilGone(): Promise<void> {
    const left = `select count(*) from pg_stat_activity where application_name = 'dynamic-query'`;
    await expect.poll(() => postgres().client(left), { interval: 10 }).toBe('0');
  }

  function openDatabase(): Promise<Database> {
    const rules = { pooler: 'auto', queryTimeoutMs: 10_000 } as const;
    const connector = new Connector(readPostgresUrl(postgres().url), rules);
    return Database.open(connector, { connections: 1, maxWaiting: 10, maxWaitMs: 2000 });
  }

  /** Has three connections of a source at work together, and idle afterwards. */
  async function openThree(source: Source): Promise<void> {
    const openGate = await closeGate(postgres());
    const passing = [1, 2, 3].map(() => read(source, GATED));
    await untilRunning(postgres(), 3);
    await openGate();
    await Promise.all(passing);
  }

  /** A source whose connections a proxy can break or freeze; three of them are idle. */
  async function openBehindProxy() {
    const proxy = await startProxy(Number(new URL(postgres().url).port));
    onTestFinished(() => proxy.close());
    const limits = { connections: 4, maxWaiting: 10, maxWaitMs: 2000 };
    const url = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`;
    const source = await openPostgres(url, { limits, pooler: 'none' });
    onTestFinished(() => source.close());
    await openThree(source);
    return { proxy, source };
  }

  it('survives the loss of its idle connections', async () => {
    const source = await openSource({ connections: 3 });
    // One that is still being opened when the sessions end would be lost a moment later.
    await openThree(source);
    await terminateAll(postgres());
    expect(await read(source, ONE)).toBe('1');
    await terminateAll(postgres());
    await untilGone();
    expect(await Promise.all([1, 2, 3].map(() => read(source, ONE)))).toEqual(['1', '1', '1']);
  });

  it('drops its idle connections when one is lost, since the others may be lost without a sign', async () => {
    const { proxy, source } = await openBehindProxy();
    proxy.breakWhenUsed();
    expect(await read(source, ONE)).toBe('1');
  });

  it('drops its idle connections when one answers nothing, not even that it is stopped', async () => {
    const { proxy, source } = await openBehindProxy();
    proxy.freeze();
    expect(await outcome(read(source, ONE, { timeoutMs: 50 }))).toBe('query_timeout');
    await expect.poll(() => proxy.open(), { interval: 10 }).toBe(0);
    expect(await read(source, ONE)).toBe('1');
  });

  it('asks once more when the connection is lost under a query', async () => {
    const source = await openSource();
    const openGate = await closeGate(postgres());
    const asked = read(source, GATED);
    await untilRunning(postgres(), 1);
    await terminateAll(postgres());
    await openGate();
    expect(await asked).toBe('passed');
  });

  it('gives up when the connection is lost a second time', async () => {
    const source = await openSource();
    const asked = outcome(read(source, ENDLESS));
    for (let times = 0; times < 2; times++) {
      await untilRunning(postgres(), 1);
      // The session that has yet to end would be found once more.
      await terminateAll(postgres(), 10_000);
    }
    expect(await asked).toBe('database_unavailable');
    expect(await read(source, ONE)).toBe('1');
  });

  it('serves again after a restart of the server, without one of its own', async () => {
    const source = await openSource({ connections: 2 });
    const outcomes = new Set<string>();
    const restarted = new AbortController();
    const restart = postgres()
      .restart()
      .finally(() => restarted.abort());
    while (!restarted.signal.aborted) {
      outcomes.add(await outcome(read(source, ONE)));
      await turn();
    }
    await restart;
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

  it('does not hang behind a lock', async () => {
    const source = await openSource();
    const holder = await connect(postgres().url);
    onTestFinished(async () => void (await holder.query('rollback')));
    await holder.query('begin; lock table locked');
    expect(await outcome(read(source, `select count(*)::text, 1 from locked`))).toBe(
      'database_unavailable',
    );
  });

  it('distinguishes what is missing from an error of the statement', async () => {
    const source = await openSource();
    expect(await outcome(read(source, `select '1', 1 from missing`))).toBe('schema_changed');
    expect(await outcome(read(source, `select missing, 1 from locked`))).toBe('schema_changed');
    expect(await outcome(read(source, `select 1 +`))).toMatch(/^Error: PostgreSQL 42601: /);
    expect(await outcome(read(source, `select (1 / 0)::text, 1`))).toBe('data_error');
  });

  it('lets a running query end when it is closed, and refuses others', async () => {
    const database = await openDatabase();
    const openGate = await closeGate(postgres());
    const short = outcome(database.ask(statementOf(GATED), callOf()));
    await untilRunning(postgres(), 1);
    const closing = database.close(20_000);
    expect(await outcome(database.ask(statementOf(ONE), callOf()))).toBe('shutting_down');
    await openGate();
    await closing;
    expect(await short).toBe('answered');
  });

  it('does not wait for a long query when it is closed', async () => {
    const source = await openSource();
    const long = outcome(read(source, ENDLESS));
    await untilRunning(postgres(), 1);
    await source.close();
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
    expect(await outcome(openPostgres(url))).toBe('database_unavailable');
    await new Promise((resolve) => {
      silent.close(resolve);
    });
    expect(await outcome(openPostgres(url))).toBe('database_unavailable');
  });
});
