import { existsSync, unlinkSync } from 'node:fs';

import { afterAll, describe, expect, it } from 'vitest';

import { callOf } from '../../../engine/test/call.ts';
import { databaseFile } from '../../../sqlite/test/database-file.ts';
import { outcome } from '../outcome.ts';
import { children, exists, latestPid, untilBusy } from '../reader-processes.ts';
import { slowSelect, statements } from '../statements.ts';
import type { PoolLimits } from '../../../engine/src/sources/pools/connection-pool.ts';
import { Database } from '../../../sqlite/src/database.ts';
import type {
  ReaderMessage,
  ReaderRequest,
} from '../../../sqlite/src/connection/reader-protocol.ts';

const UNHURRIED = callOf({ timeoutMs: 600_000 });
const ENDLESS = 10 ** 12;

const pools: Database[] = [];
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
});

function openPool(limits: Partial<PoolLimits> = {}, path = databaseFile()): Database {
  const pool = new Database(path, { connections: 1, maxWaiting: 1, maxWaitMs: 10_000, ...limits });
  pools.push(pool);
  return pool;
}

function about(request: ReaderRequest): () => ReaderMessage {
  return () => ({ generation: 0, request });
}

const PING = about({ kind: 'ping' });

function question(value: number, steps = 1): () => ReaderMessage {
  const query = statements({ rows: slowSelect(value, steps), count: 'select 1' });
  return about({ kind: 'page', asked: { range: { size: 10, offset: 0n }, query } });
}

let shared: Database | undefined;

/**
 * A pool of one reader that is up and answers: the same for all who do not close it. Its process is
 * the latest one until another pool is opened.
 */
async function warmPool(pool = (shared ??= openPool())): Promise<Database> {
  await pool.ask(PING, UNHURRIED);
  return pool;
}

describe('a question', () => {
  it('is answered by a process of its own', async () => {
    const pool = await warmPool();
    await expect(pool.ask(question(7), UNHURRIED)).resolves.toMatchObject({
      value: { json: '7', numbers: [1n] },
    });
    expect(exists(latestPid())).toBe(true);
    expect(latestPid()).not.toBe(process.pid);
  });
});

describe('a question past its deadline', () => {
  it('is stopped with its process, and the next one works', async () => {
    const pool = await warmPool();
    const pid = latestPid();
    await expect(pool.ask(question(1, ENDLESS), callOf({ timeoutMs: 100 }))).rejects.toMatchObject({
      code: 'query_timeout',
      message: 'The query took longer than 100 ms.',
    });
    await expect.poll(() => exists(pid)).toBe(false);
    await expect(pool.ask(question(2), UNHURRIED)).resolves.toMatchObject({ value: { json: '2' } });
  });

  it('is refused in time although its process cannot be killed', async () => {
    const pool = await warmPool();
    const child = children.at(-1);
    const kill = child?.kill.bind(child);
    Object.assign(child ?? {}, { kill: () => true });
    expect(await outcome(pool.ask(question(1, ENDLESS), callOf({ timeoutMs: 50 })))).toBe(
      'query_timeout',
    );
    kill?.('SIGKILL');
  });

  it('is refused in time while it waits for a reader, who goes to the next one', async () => {
    const pool = await warmPool();
    const busy = outcome(pool.ask(question(1, ENDLESS), callOf({ timeoutMs: 1000 })));
    expect(await outcome(pool.ask(question(2), callOf({ timeoutMs: 50 })))).toBe('query_timeout');
    expect(await busy).toBe('query_timeout');
    await expect(pool.ask(question(3), UNHURRIED)).resolves.toMatchObject({ value: { json: '3' } });
  });
});

describe('a reader that is killed from outside', () => {
  it('fails the question that it was answering, and does not harm the one that waits behind it', async () => {
    const pool = await warmPool();
    for (const isBusy of [false, true]) {
      const asked = pool.ask(question(1, ENDLESS), UNHURRIED);
      const waiting = pool.ask(question(3), UNHURRIED);
      if (isBusy) await untilBusy();
      process.kill(latestPid(), 'SIGKILL');
      await expect(asked).rejects.toMatchObject({
        code: 'database_unavailable',
        ...(isBusy && { message: 'The reader process ended.' }),
      });
      await expect(waiting).resolves.toMatchObject({ value: { json: '3' } });
    }
  });

  it('while it rests is replaced before the next question', async () => {
    const pool = await warmPool();
    const pid = latestPid();
    const gone = new Promise((resolve) => children.at(-1)?.once('close', resolve));
    process.kill(pid, 'SIGKILL');
    await gone;
    await expect(pool.ask(question(2), UNHURRIED)).resolves.toMatchObject({ value: { json: '2' } });
    expect(latestPid()).not.toBe(pid);
  });
});

describe('a reader', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stays when it gets %s, since the server decides when it stops',
    async (signal) => {
      const pool = await warmPool();
      const pid = latestPid();
      process.kill(pid, signal);
      // It takes its signals between two questions.
      for (let value = 0; value < 3; value++)
        await expect(pool.ask(question(value), UNHURRIED)).resolves.toMatchObject({
          value: { json: String(value) },
        });
      expect(latestPid()).toBe(pid);
    },
  );

  it('says that the database is unavailable when the file is gone, and does not make an empty one', async () => {
    const path = databaseFile();
    const pool = await warmPool(openPool({}, path));
    unlinkSync(path);
    await expect(pool.ask(PING, UNHURRIED)).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(existsSync(path)).toBe(false);
  });
});

describe('a full pool', () => {
  it('refuses a question beyond the queue at once, and answers the one that waits behind a late one', async () => {
    const pool = await warmPool();
    const busy = pool.ask(question(1, ENDLESS), callOf({ timeoutMs: 150 }));
    const waiting = pool.ask(question(2), UNHURRIED);
    await expect(pool.ask(question(3), UNHURRIED)).rejects.toMatchObject({
      code: 'overloaded',
      message: '1 queries wait for a connection already.',
    });
    await expect(busy).rejects.toMatchObject({ code: 'query_timeout' });
    await expect(waiting).resolves.toMatchObject({ value: { json: '2' } });
  });

  it('refuses a question that waits too long', async () => {
    const pool = await warmPool(openPool({ maxWaitMs: 50 }));
    const busy = pool.ask(question(1, ENDLESS), callOf({ timeoutMs: 200 }));
    await expect(pool.ask(question(2), UNHURRIED)).rejects.toMatchObject({
      code: 'overloaded',
      message: 'No connection was free within 50 ms.',
    });
    await expect(busy).rejects.toMatchObject({ code: 'query_timeout' });
    // Or its next process would be the latest one for a moment of the next test.
    await pool.close();
  });
});

describe('closing', () => {
  it('fails the statement that it stops, and refuses those who wait and those who come later', async () => {
    const pool = await warmPool(openPool());
    const asked = pool.ask(question(1, ENDLESS), UNHURRIED);
    const waiting = pool.ask(question(2), UNHURRIED);
    const outcomes = Promise.all([asked, waiting].map(outcome));
    await untilBusy();
    await pool.close();
    expect(await outcomes).toEqual(['shutting_down', 'shutting_down']);
    await expect(pool.ask(question(3), UNHURRIED)).rejects.toMatchObject({ code: 'shutting_down' });
  });

  it('leaves no process behind that has answered in its turn, and can be done twice', async () => {
    const others = children.length;
    const pool = openPool({ connections: 2, maxWaiting: 100 });
    const values = Array.from({ length: 50 }, (_, index) => index);
    const answers = await Promise.all(values.map((value) => pool.ask(question(value), UNHURRIED)));
    expect(answers.map((answer) => (answer.value as { json: string }).json)).toEqual(
      values.map(String),
    );
    await pool.close();
    await pool.close();
    const pids = children.slice(others).map(({ pid }) => pid ?? 0);
    expect(pids).toHaveLength(2);
    expect(pids.filter(exists)).toEqual([]);
  });

  it('waits for a process that a deadline has just killed', async () => {
    const pool = await warmPool(openPool());
    const child = children.at(-1);
    const killed = new Promise<void>((resolve) => {
      const kill = child?.kill.bind(child);
      Object.assign(child ?? {}, { kill: (signal: NodeJS.Signals) => [kill?.(signal), resolve()] });
    });
    const late = outcome(pool.ask(question(1, ENDLESS), callOf({ timeoutMs: 50 })));
    await killed;
    await pool.close();
    expect(exists(child?.pid ?? 0)).toBe(false);
    expect(await late).toBe('query_timeout');
  });
});
