import { beforeRelease, freezeProcesses, SEED } from '@proj/test-servers';
import { createConnection } from 'mysql2/promise';
import { afterEach, expect, it, vi } from 'vitest';

import { Connection } from '../../../mysql/src/connection/connection.ts';
import { KillChannel } from '../../../mysql/src/connection/kill-channel.ts';
import { openMysql } from '../../../mysql/src/source.ts';
import { runStoppable } from '../../../mysql/src/database.ts';
import { readMysqlUrl } from '../../../mysql/src/connection/url.ts';
import type { Source } from '../../../engine/src/sources/source.ts';
import { callOf } from '../../../engine/test/call.ts';
import { outcome } from '../outcome.ts';
import { startProxy } from '../proxy.ts';
import { pass, stopTime } from '../stopped-time.ts';
import { Random } from '../truth/random.ts';
import { describeMariadb, useOwnMariadb } from './mariadb.ts';
import { ENDLESS, kill, read, running, SLOW_SQL } from './slow.ts';

const CALLERS = beforeRelease ? 200 : 40;

/** A time limit that no test waits for: the server ends a statement a second after its own. */
const LONG_MS = 200_000;

const RUNNING = `select id from information_schema.processlist where info like '%endless a%' and id <> connection_id()`;

/** A relation that takes hours to read. */
const SLOW_VIEW = `
  create view endless_view as
  select a.id as id, b.id + c.id as number from endless a, endless b, endless c;`;

describeMariadb('a query on MariaDB', () => {
  const mariadb = useOwnMariadb({ sql: SLOW_SQL + SLOW_VIEW });
  const sources: Source[] = [];
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(sources.splice(0).map((source) => source.close()));
  });

  async function openSource(connections = 1): Promise<Source> {
    const source = await openMysql(mariadb().url, {
      connections,
      maxWaiting: 1000,
      maxWaitMs: 2000,
    });
    sources.push(source);
    await read(source, 'select 1, 1');
    return source;
  }

  it('that passes its time limit is stopped in the database, and its connection serves on', async () => {
    const source = await openSource();
    const before = await read(source, 'select connection_id(), 1');
    stopTime();
    const late = outcome(read(source, ENDLESS, { timeoutMs: LONG_MS }));
    await expect.poll(() => running(mariadb())).toBe(1);
    await pass(LONG_MS);
    expect(await late).toBe('query_timeout');
    await expect.poll(() => running(mariadb())).toBe(0);
    expect(await read(source, 'select connection_id(), 1')).toBe(before);
  });

  it('whose caller leaves is refused at once and stopped in the database', async () => {
    const source = await openSource();
    const controller = new AbortController();
    const call = { signal: controller.signal, timeoutMs: LONG_MS };
    const asked = outcome(read(source, ENDLESS, call));
    await expect.poll(() => running(mariadb())).toBe(1);
    controller.abort();
    expect(await asked).toBe('cancelled');
    await expect.poll(() => running(mariadb())).toBe(0);
    expect(await read(source, 'select 7, 1')).toBe('[{"value":7}]');
  });

  it('is stopped while the server takes no more connections', async () => {
    const source = await openSource();
    const others: Awaited<ReturnType<typeof createConnection>>[] = [];
    for (;;) {
      try {
        others.push(await createConnection(mariadb().url));
      } catch {
        break;
      }
    }
    try {
      stopTime();
      const late = outcome(read(source, ENDLESS, { timeoutMs: LONG_MS }));
      await expect.poll(async () => (await others[0]?.query(RUNNING))?.[0]).toHaveLength(1);
      await pass(LONG_MS);
      expect(await late).toBe('query_timeout');
      const left = `select cast(count(*) as char), 1 from information_schema.processlist where info like '%endless a%' and id <> connection_id()`;
      expect(await read(source, left)).toBe('[{"value":0}]');
    } finally {
      await Promise.all(others.map((other) => other.end()));
    }
  });

  it('on a frozen server ends after its time, and others are served once it thaws', async () => {
    const source = await openSource(2);
    await freezeProcesses([mariadb().pid]);
    try {
      const refused = await Promise.all(
        [1, 2].map(() => outcome(read(source, 'select 1, 1', { timeoutMs: 300 }))),
      );
      // The second one may find no connection, since the server opens none.
      expect(refused[0]).toBe('query_timeout');
      expect(refused[1]).toMatch(/query_timeout|database_unavailable|overloaded/);
    } finally {
      process.kill(mariadb().pid, 'SIGCONT');
    }
    expect(await read(source, 'select 8, 1')).toBe('[{"value":8}]');
  });

  it(`is never hit by the kill of another: ${CALLERS} callers leave at random moments (seed ${SEED})`, async () => {
    const [source, other] = [await openSource(), await openSource()];
    const random = new Random(SEED);
    const work = (): string => `select benchmark(${random.integer(0, 20_000)}, md5('x')), 1`;
    const outcomes: Record<string, number> = {};
    for (let tries = 0; tries < CALLERS; tries++) {
      const controller = new AbortController();
      const left = outcome(read(source, work(), { signal: controller.signal }));
      const stays = read(source, `select ${tries}, 1`);
      // It leaves when somebody else has been served.
      await read(other, work());
      controller.abort();
      expect(await stays).toBe(`[{"value":${tries}}]`);
      const how = await left;
      outcomes[how] = (outcomes[how] ?? 0) + 1;
    }
    const { answered = 0, cancelled = 0 } = outcomes;
    expect(cancelled).toBeGreaterThan(0);
    expect(answered + cancelled).toBe(CALLERS);
  });

  it('is ended by the server itself when nobody can stop it from here', async () => {
    const source = await openSource();
    const [limit] = JSON.parse(
      await read(source, 'select @@max_statement_time, 1', { timeoutMs: 3000 }),
    ) as { value: number }[];
    expect(limit?.value).toBe(4);
  });

  it('that an administrator stops is not called a time-out, and the next is not harmed', async () => {
    const source = await openSource();
    const asked = read(source, ENDLESS);
    asked.catch(() => undefined);
    await expect.poll(() => running(mariadb())).toBe(1);
    await kill(mariadb(), 'query', "info like '%endless%'");
    await expect(asked).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringContaining('The database cancelled the statement.') as string,
    });
    expect(await read(source, 'select 9, 1')).toBe('[{"value":9}]');
  });

  it('that an administrator gave less time is a time-out', async () => {
    const account =
      "create user hurried@'%' with max_statement_time 0.2; grant select on test.* to hurried@'%'";
    await mariadb().client(account);
    const source = await openMysql(mariadb().url.replace('root@', 'hurried@'));
    sources.push(source);
    expect(await outcome(read(source, ENDLESS, { timeoutMs: 60_000 }))).toBe('query_timeout');
  });

  it('is answered at its time limit and a tenth of a second, before a frozen connection is given up', async () => {
    const proxy = await startProxy(Number(new URL(mariadb().url).port));
    const address = readMysqlUrl(`mysql://root@127.0.0.1:${proxy.port}/test`);
    const connection = await Connection.open(address);
    const channel = new KillChannel(() => Connection.open(address));
    await channel.open();
    proxy.freeze();
    const work = (): Promise<unknown> => connection.command('select 1');
    const { signal } = callOf({ timeoutMs: 50 });
    const { answer, free } = runStoppable(connection, work, { signal, channel });
    expect(await outcome(answer)).toBe('query_timeout');
    expect(connection.alive).toBe(true);
    await free;
    expect(connection.alive).toBe(false);
    channel.close();
    await proxy.close();
  });
});
