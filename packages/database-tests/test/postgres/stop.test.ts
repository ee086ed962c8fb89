import { setImmediate as turn } from 'node:timers/promises';

import { EVERYTHING } from '@proj/engine';
import { Client } from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { readPostgresUrl } from '../../../postgres/src/connection/url.ts';
import { runStatement } from '../../../postgres/src/connection/running-work.ts';
import { Connector } from '../../../postgres/src/connection/connect.ts';
import type { Source } from '../../../engine/src/sources/source.ts';
import { ask, open } from '../open.ts';
import { callOf } from '../../../engine/test/call.ts';
import { facetsBody } from '../databases/checked-facets.ts';
import { outcome } from '../outcome.ts';
import { startProxy } from '../proxy.ts';
import { pass, stopTime } from '../stopped-time.ts';
import {
  ENDLESS,
  openSource,
  read,
  untilRunning,
  urlOf,
  useOwnPostgres,
  useSources,
} from './server.ts';

const SQL = `create view napping as select 1 as id, pg_sleep(300)::text as nap;
  create table kept (id int primary key);`;

describe('a query on PostgreSQL', () => {
  const postgres = useOwnPostgres({ sql: SQL, settings: { max_connections: '20' } });
  const openOne = useSources(postgres);
  afterEach(() => vi.useRealTimers());

  it('for facets of a slow view is stopped at the deadline, and when its caller leaves', async () => {
    const models = { napping: { key: ['id'] } };
    const engine = await open(postgres().url, { models, queryTimeoutMs: 200_000 });
    stopTime();
    const body = facetsBody({ model: 'napping', facets: [{ attribute: 'nap', values: 5 }] });
    const late = outcome(engine.facets(body, EVERYTHING));
    await untilRunning(postgres(), 1);
    await pass(200_000);
    expect(await late).toBe('query_timeout');
    await untilRunning(postgres(), 0);

    const caller = new AbortController();
    const { signal } = caller;
    const left = outcome(engine.facets(body, EVERYTHING, { signal }));
    await untilRunning(postgres(), 1);
    caller.abort();
    expect(await left).toBe('cancelled');
    await untilRunning(postgres(), 0);
  });

  it('that passes its time limit leaves its connection in service', async () => {
    const source = await openOne();
    const before = await backendOf(source);
    stopTime();
    const late = outcome(read(source, ENDLESS, { timeoutMs: 200_000 }));
    await untilRunning(postgres(), 1);
    await pass(100_000);
    await untilRunning(postgres(), 1);
    await pass(100_000);
    expect(await late).toBe('query_timeout');
    expect(await backendOf(source)).toBe(before);
  });

  it('is stopped while the server takes no more connections', async () => {
    const source = await openOne();
    const before = await backendOf(source);
    const others = await takeAllConnections();
    try {
      await expect(postgres().client('select 1')).rejects.toThrow(/too many clients/);
      stopTime();
      const late = outcome(read(source, ENDLESS, { timeoutMs: 200_000 }));
      const running = `select from pg_stat_activity where pid = ${before} and state = 'active'`;
      await expect.poll(async () => (await others[0]?.query(running))?.rowCount).toBe(1);
      await pass(200_000);
      expect(await late).toBe('query_timeout');
      expect(await backendOf(source)).toBe(before);
    } finally {
      await Promise.all(others.map((other) => other.end()));
    }
  });

  async function takeAllConnections(): Promise<Client[]> {
    const taken: Client[] = [];
    for (;;) {
      const client = new Client({ connectionString: postgres().url });
      try {
        await client.connect();
        taken.push(client);
      } catch {
        return taken;
      }
    }
  }

  it('is answered in time where the check of a kept reply finds its connection frozen', async () => {
    const proxy = await startProxy(Number(new URL(postgres().url).port));
    const url = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`;
    stopTime();
    const engine = await open(url, { pooler: 'none', queryTimeoutMs: 300 });
    const question = { model: 'kept', attributes: ['id'] };
    for (let times = 0; times < 3; times++) await ask(engine, question);
    proxy.freeze();
    const late = outcome(ask(engine, question));
    // The check alone waits for a second.
    await pass(400);
    expect(await late).toBe('query_timeout');
    await pass(500);
    const closed = engine.close();
    // What is frozen has so long to end.
    await pass(1000);
    await closed;
    await proxy.close();
  });

  it('is answered at its time limit and a tenth of a second, before a frozen connection is given up', async () => {
    const proxy = await startProxy(Number(new URL(postgres().url).port));
    const rules = { pooler: 'none', queryTimeoutMs: 10_000 } as const;
    const connection = await new Connector(
      readPostgresUrl(`postgres://postgres@127.0.0.1:${proxy.port}/postgres`),
      rules,
    ).connect();
    proxy.freeze();
    stopTime();
    const statement = { sql: 'select 1', parameters: [] };
    const { answer, free } = runStatement(connection, statement, {
      ...callOf({ timeoutMs: 50 }),
      keepsPlans: true,
    });
    const answered = outcome(answer);
    await pass(150);
    expect(await answered).toBe('query_timeout');
    expect(connection.alive).toBe(true);
    await pass(500);
    await free;
    expect(connection.alive).toBe(false);
    await proxy.close();
  });

  it('in a frozen process of the server is answered within a second of its deadline', async () => {
    const source = await openOne();
    const frozen = await backendOf(source);
    process.kill(frozen, 'SIGSTOP');
    try {
      stopTime();
      const late = outcome(read(source, `select '1', 1`, { timeoutMs: 200 }));
      await pass(300);
      expect(await late).toBe('query_timeout');
      await pass(500);
      // The connection is given up, and another takes its place.
      expect(await backendOf(source)).not.toBe(frozen);
    } finally {
      process.kill(frozen, 'SIGCONT');
    }
    expect(await read(source, `select '8', 1`)).toBe('8');
  });

  it('is never hit by the cancellation of another: 60 callers leave at different moments', async () => {
    const source = await openOne();
    const outcomes: Record<string, number> = {};
    for (let tries = 0; tries < 60; tries++) {
      const controller = new AbortController();
      const counted = `select count(*)::text, 1 from generate_series(1, ${300 * tries})`;
      const left = outcome(read(source, counted, { signal: controller.signal }));
      const stays = read(source, `select '${tries}', 1`);
      for (let turns = 0; turns < tries % 20; turns++) await turn();
      controller.abort();
      expect(await stays).toBe(String(tries));
      const how = await left;
      outcomes[how] = (outcomes[how] ?? 0) + 1;
    }
    const { answered = 0, cancelled = 0 } = outcomes;
    expect(cancelled).toBeGreaterThan(0);
    expect(answered + cancelled).toBe(60);
  });

  it('is ended by the server itself when nobody can stop it from here, also where it may take longer than others', async () => {
    const source = await openSource(postgres().url, { queryTimeoutMs: 3000 });
    const limit = `select current_setting('statement_timeout'), 1`;
    // What is left of the time limit counts.
    const now = vi.spyOn(performance, 'now').mockReturnValue(Math.ceil(performance.now()));
    expect(await read(source, limit, { timeoutMs: 3000 })).toBe('4s');
    expect(await read(source, limit, { timeoutMs: 60_000 })).toBe('61s');
    expect(await read(source, limit, { timeoutMs: 2000 })).toBe('4s');
    now.mockRestore();
  });

  it('that an administrator cancels is not called a time-out, and the next is not harmed', async () => {
    const source = await openOne();
    const asked = read(source, ENDLESS);
    asked.catch(() => undefined);
    await untilRunning(postgres(), 1);
    await postgres().client(
      `select pg_cancel_backend(pid) from pg_stat_activity where query like '%endless%' and pid <> pg_backend_pid()`,
    );
    await expect(asked).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringContaining('The database cancelled the statement') as string,
    });
    expect(await read(source, `select '9', 1`)).toBe('9');
  });

  it('that an administrator gave less time is a time-out, in whatever language the server says so', async () => {
    await postgres().client(
      `create role hurried login; alter role hurried set statement_timeout = '150ms'`,
    );
    const source = await openSource(urlOf(postgres(), 'hurried'));
    expect(await read(source, `select current_setting('statement_timeout'), 1`)).toBe('150ms');
    expect(await outcome(read(source, ENDLESS))).toBe('query_timeout');
    expect(await outcome(read(source, ENDLESS, { timeoutMs: 60_000 }))).toBe('query_timeout');
  });
});

/** Which process of the server serves the only connection of a source. */
async function backendOf(source: Source): Promise<number> {
  return Number(await read(source, 'select pg_backend_pid()::text, 1'));
}
