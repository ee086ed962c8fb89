import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Socket } from 'node:net';

import { freePort, listenOnFreePort } from '@proj/test-servers';
import { createConnection } from 'mysql2/promise';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';

import type { PoolLimits } from '../../../engine/src/sources/pools/connection-pool.ts';
import { openMysql } from '../../../mysql/src/source.ts';
import type { Source } from '../../../engine/src/sources/source.ts';
import { outcome } from '../outcome.ts';
import { startProxy } from '../proxy.ts';
import { describeMariadb, useOwnMariadb } from './mariadb.ts';
import { ENDLESS, kill, read, running, runningIn, SLOW_SQL } from './slow.ts';

const ONE = '[{"value":1}]';

describeMariadb('a source on MariaDB', () => {
  const mariadb = useOwnMariadb({ sql: SLOW_SQL });
  const sources: Source[] = [];
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(sources.splice(0).map((source) => source.close()));
  });

  async function openSource(limits: Partial<PoolLimits> = {}): Promise<Source> {
    const source = await openMysql(mariadb().url, {
      connections: 2,
      maxWaiting: 1000,
      maxWaitMs: 2000,
      ...limits,
    });
    sources.push(source);
    await read(source, 'select 1, 1');
    return source;
  }

  function killAll(): Promise<void> {
    return kill(mariadb(), 'connection', "user = 'root'");
  }

  it('survives the loss of its idle connections', async () => {
    const sockets = socketsFromHere();
    const source = await openSource();
    await killAll();
    expect(await read(source, 'select 1, 1')).toBe(ONE);
    // The source may open others meanwhile, and the server does not list one that signs in.
    const idle = [...sockets];
    await expect
      .poll(async () => {
        await killAll();
        return idle.every(({ closed }) => closed);
      })
      .toBe(true);
    expect(await read(source, 'select 1, 1')).toBe(ONE);
  });

  it('can still stop a query after all connections were lost', async () => {
    const source = await openSource();
    await killAll();
    expect(await outcome(read(source, ENDLESS, { timeoutMs: 300 }))).toBe('query_timeout');
    await expect.poll(() => running(mariadb())).toBe(0);
  });

  it('asks once more when the connection is lost under a query', async () => {
    const source = await openSource();
    const asked = outcome(read(source, ENDLESS, { timeoutMs: 60_000 }));
    await expect.poll(() => runningIn(mariadb())).toHaveLength(1);
    const first = await runningIn(mariadb());
    await killAll();
    // The first one is listed until it has ended.
    const again = async (): Promise<readonly string[]> =>
      (await runningIn(mariadb())).filter((id) => !first.includes(id));
    await expect.poll(again).toHaveLength(1);
    await killAll();
    expect(await asked).toBe('database_unavailable');
    expect(await read(source, 'select 1, 1')).toBe(ONE);
  });

  it('serves again after a restart of the server, without one of its own', async () => {
    const source = await openSource();
    await Promise.all([1, 2, 3, 4].map(() => read(source, 'select 1, 1')));
    const outcomes = new Set<string>();
    const restarted = new AbortController();
    const restart = mariadb()
      .restart()
      .finally(() => restarted.abort());
    while (!restarted.signal.aborted) outcomes.add(await outcome(read(source, 'select 1, 1')));
    await restart;
    expect(await read(source, 'select 1, 1')).toBe(ONE);
    expect(
      [...outcomes].filter((code) => code !== 'answered' && code !== 'database_unavailable'),
    ).toEqual([]);
    expect(outcomes).toContain('database_unavailable');
    // The channel for kills is open again too.
    await expect
      .poll(async () =>
        Number(
          await mariadb().client(
            "select count(*) from information_schema.processlist where user = 'root'",
          ),
        ),
      )
      .toBeGreaterThanOrEqual(3);
  });

  it('waits two seconds for a lock at most', async () => {
    const source = await openSource();
    for (const name of ['lock_wait_timeout', 'innodb_lock_wait_timeout'])
      expect(await read(source, `select @@${name}, 1`)).toBe('[{"value":2}]');
  });

  it('waits for a lock twice', async () => {
    // Its sessions do not wait at all.
    const proxy = await startProxy(Number(new URL(mariadb().url).port), {
      renamed: ['lock_wait_timeout = 2', 'lock_wait_timeout = 0'],
    });
    const source = await openMysql(`mysql://root@127.0.0.1:${proxy.port}/test`);
    await mariadb().client('create table locked (id int primary key)');
    const holder = await createConnection(mariadb().url);
    await holder.query('lock tables locked write');
    const { length } = await mariadb().log();
    expect(await outcome(read(source, 'select count(*), 1 from locked'))).toBe(
      'database_unavailable',
    );
    const log = (await mariadb().log()).slice(length);
    expect(log.match(/Execute.*from locked/g)).toHaveLength(2);
    await holder.end();
    await source.close();
    await proxy.close();
  });

  it('distinguishes a missing table from an error of the statement', async () => {
    const source = await openSource();
    expect(await outcome(read(source, 'select 1, 1 from missing'))).toBe('schema_changed');
    expect(await outcome(read(source, 'select missing, 1 from locked'))).toBe('schema_changed');
    expect(await outcome(read(source, 'select 1 +'))).toMatch(/^Error: MySQL 1064: /);
  });

  it('cannot be opened where no server listens', async () => {
    const url = `mysql://root@127.0.0.1:${await freePort()}/test`;
    expect(await outcome(openMysql(url))).toBe('database_unavailable');
  });

  it('reports in time that it cannot be opened where a server says nothing', async () => {
    const silent = createServer();
    const url = `mysql://root@127.0.0.1:${await listenOnFreePort(silent)}/test`;
    expect(await outcome(openMysql(url))).toBe('database_unavailable');
    silent.close();
  });
});

/** The sockets that this process opens while the test runs. */
function socketsFromHere(): readonly Socket[] {
  const sockets: Socket[] = [];
  const note = (message: unknown): void => {
    sockets.push((message as { readonly socket: Socket }).socket);
  };
  subscribe('net.client.socket', note);
  onTestFinished(() => void unsubscribe('net.client.socket', note));
  return sockets;
}
