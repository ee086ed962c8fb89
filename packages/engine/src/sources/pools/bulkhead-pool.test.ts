import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { callOf } from '../../../test/call.ts';
import { FakeConnection } from '../../../test/fake-connection.ts';
import { Callers, WHOLE_RELATION } from '../read-call.ts';
import { BulkheadPool, SLOW_MS, SLOW_RUNS } from './bulkhead-pool.ts';

const LIMITS = { connections: 10, maxWaiting: 100, maxWaitMs: 60_000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
});

function pools() {
  const opened: FakeConnection[] = [];
  const pool = new BulkheadPool(async () => {
    const connection = new FakeConnection();
    opened.push(connection);
    return Promise.resolve(connection);
  }, LIMITS);
  const take = (shape: string | undefined, caller = 'a', waitedMs = 0) =>
    pool.acquire(
      callOf({
        timeoutMs: Infinity,
        waitedMs,
        callers: new Callers(caller),
        ...(shape !== undefined && { shape }),
      }),
    );
  /** Runs a statement for so long. */
  const run = async (shape: string, milliseconds: number): Promise<FakeConnection> => {
    const connection = await take(shape);
    vi.advanceTimersByTime(milliseconds);
    pool.release(connection);
    return connection;
  };
  const runSlowly = async (shape: string, times: number): Promise<FakeConnection[]> => {
    const used: FakeConnection[] = [];
    for (let count = 0; count < times; count++) used.push(await run(shape, SLOW_MS));
    return used;
  };
  return { pool, opened, take, run, runSlowly };
}

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Its code, once it is refused. */
function outcomeOf(taken: Promise<unknown>): { code?: string } {
  const outcome: { code?: string } = {};
  void taken.catch(({ code }: { code: string }) => Object.assign(outcome, { code }));
  return outcome;
}

describe('statements of a shape', () => {
  it('that were slow several times in a row use connections of their own, and leave those of quick ones alone', async () => {
    const { pool, take, runSlowly } = pools();
    const quick = await runSlowly('slow', SLOW_RUNS);
    const [slow, , waiting] = [await take('slow'), await take('slow'), take('slow')];
    expect(quick).not.toContain(slow);
    const others = await Promise.all(
      Array.from({ length: LIMITS.connections }, (_, index) => take(`quick ${index}`)),
    );
    expect(others).not.toContain(slow);
    pool.release(slow);
    expect(await waiting).toBe(slow);
  });

  it('are known to be slow while the first of them still run, and those that wait go where slow ones go', async () => {
    const { pool, take } = pools();
    const running = await Promise.all(
      Array.from({ length: LIMITS.connections }, () => take('new')),
    );
    const waiting = [take('new'), take('new')];
    vi.advanceTimersByTime(SLOW_MS);
    for (const connection of running.slice(0, 2)) pool.release(connection);
    const slow = await waiting[0];
    expect(running).not.toContain(slow);
    const quick = await Promise.all([take('quick'), take('quick')]);
    expect(running).toEqual(expect.arrayContaining(quick));
  });

  it('that were quick again are quick again', async () => {
    const { run, runSlowly } = pools();
    const [first] = await runSlowly('changing', SLOW_RUNS);
    const slow = await run('changing', SLOW_MS - 1);
    expect(slow).not.toBe(first);
    expect(await run('changing', 0)).toBe(first);
  });

  it('that were slow fewer times, or by turns, stay with the quick ones', async () => {
    const { opened, run, runSlowly } = pools();
    for (let times = 0; times < SLOW_RUNS; times++) {
      await runSlowly('sometimes', SLOW_RUNS - 1);
      await run('sometimes', 0);
    }
    expect(opened).toHaveLength(1);
  });

  it('that read a whole relation are slow from the start', async () => {
    const { take } = pools();
    const slow = [await take(WHOLE_RELATION), await take(WHOLE_RELATION)];
    let third = false;
    void take(WHOLE_RELATION).then(() => (third = true));
    await settled();
    expect(third).toBe(false);
    expect(slow).not.toContain(await take(undefined));
  });

  it.each([0, 59_000])(
    'are refused when they have waited as long as quick ones may, of which others took %i ms',
    async (waitedMs) => {
      const { take } = pools();
      await Promise.all([take(WHOLE_RELATION), take(WHOLE_RELATION)]);
      const outcome = outcomeOf(take(WHOLE_RELATION, 'a', waitedMs));
      await vi.advanceTimersByTimeAsync(LIMITS.maxWaitMs - waitedMs - 1);
      expect(outcome.code).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      expect(outcome.code).toBe('overloaded');
    },
  );

  it('wait no longer in all if they prove to be slow while they wait', async () => {
    const { pool, take } = pools();
    await Promise.all([take(WHOLE_RELATION), take(WHOLE_RELATION)]);
    const running = await Promise.all(
      Array.from({ length: LIMITS.connections }, () => take('new')),
    );
    const outcome = outcomeOf(take('new'));
    await vi.advanceTimersByTimeAsync(LIMITS.maxWaitMs - 1);
    for (const connection of running) pool.release(connection);
    await vi.advanceTimersByTimeAsync(0);
    expect(outcome.code).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome.code).toBe('overloaded');
  });

  it('leave a connection for slow ones to other callers while those ask for anything', async () => {
    const { pool, take } = pools();
    pool.release(await take('quick', 'b'));
    await take(WHOLE_RELATION, 'a');
    let second = false;
    void take(WHOLE_RELATION, 'a').then(() => (second = true));
    await settled();
    expect(second).toBe(false);
    await take(WHOLE_RELATION, 'b');
  });
});

it('closing ends the connections of slow and of quick statements', async () => {
  const { pool, opened, take } = pools();
  await Promise.all([take('quick'), take(WHOLE_RELATION)]);
  pool.destroy();
  expect(opened.map(({ alive }) => alive)).toEqual([false, false]);
  await expect(take('quick')).rejects.toMatchObject({ code: 'shutting_down' });
});
