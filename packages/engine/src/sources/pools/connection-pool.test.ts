import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { Callers } from '../read-call.ts';
import { ConnectionPool, type PoolLimits } from './connection-pool.ts';
import { callOf } from '../../../test/call.ts';
import { FakeConnection } from '../../../test/fake-connection.ts';

const LIMITS: PoolLimits = { connections: 2, maxWaiting: 100, maxWaitMs: 60_000 };

/** A pool of connections that are always open, and who was served, in order. */
function poolOf(limits: Partial<PoolLimits> = {}) {
  const pool = new ConnectionPool(async () => Promise.resolve(new FakeConnection()), {
    ...LIMITS,
    ...limits,
  });
  const served: string[] = [];
  const ask = (name: string, caller = name, signal?: AbortSignal): Promise<FakeConnection> => {
    const acquired = pool.acquire(callOf({ signal, callers: new Callers(caller) }));
    acquired.then(
      () => served.push(name),
      () => undefined,
    );
    return acquired;
  };
  return { pool, served, ask };
}

/** Callers get connections as promises do: after everything that is under way. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('callers of a pool', () => {
  it('get connections in turns, however many queries one of them has sent before', async () => {
    const { pool, served, ask } = poolOf({ connections: 1 });
    const held = await ask('first');
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask(name, 'a');
    void ask('b1', 'b');
    void ask('c1', 'c');
    void ask('b2', 'b');
    for (let times = 0; times < 7; times++) {
      pool.release(held);
      await settled();
    }
    expect(served).toEqual(['first', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('hold all connections when alone, and at most half of them while another one uses some', async () => {
    const { pool, served, ask } = poolOf({ connections: 4 });
    const held = await Promise.all(['a1', 'a2', 'a3', 'a4'].map((name) => ask(name, 'a')));
    void ask('a5', 'a');
    void ask('b1', 'b');
    await settled();
    expect(served).toEqual(['a1', 'a2', 'a3', 'a4']);
    for (const connection of held.slice(0, 2)) pool.release(connection);
    await settled();
    expect(served.slice(4)).toEqual(['b1']);
    void ask('b2', 'b');
    await settled();
    expect(served.slice(5)).toEqual(['b2']);
    pool.release(held[2] ?? new FakeConnection());
    await settled();
    expect(served.slice(6)).toEqual(['a5']);
  });

  it('leave the last connection to others where it would be held for long', async () => {
    const { pool, served, ask } = poolOf({ connections: 3, keepsOne: true });
    const held = await Promise.all(['a1', 'a2'].map((name) => ask(name, 'a')));
    void ask('a3', 'a');
    await settled();
    expect(served).toEqual(['a1', 'a2']);
    await ask('b1', 'b');
    expect(served.slice(2)).toEqual(['b1']);
    for (const connection of held) pool.release(connection);
    await settled();
    expect(served.slice(3)).toEqual(['a3']);
  });

  it('hold the only connection, since there is no other', async () => {
    const { served, ask } = poolOf({ connections: 1, keepsOne: true });
    await ask('a1', 'a');
    expect(served).toEqual(['a1']);
  });

  it('hold all connections again when no other one has used any for a while', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { pool, served, ask } = poolOf();
    pool.release(await ask('b'));
    const held = await ask('a1', 'a');
    void ask('a2', 'a');
    await settled();
    expect(served).toEqual(['b', 'a1']);
    vi.advanceTimersByTime(20_000);
    void ask('a3', 'a');
    await settled();
    expect(served).toEqual(['b', 'a1', 'a2']);
    pool.release(held);
    await settled();
    expect(served.slice(3)).toEqual(['a3']);
  });

  it('are not held to a share by the queries of nobody, such as a ping', async () => {
    const { pool, served, ask } = poolOf();
    pool.release(await ask('ping', ''));
    await Promise.all(['a1', 'a2'].map((name) => ask(name, 'a')));
    expect(served).toEqual(['ping', 'a1', 'a2']);
  });

  it('lose their own newest query when they fill the queue, and not the query of another', async () => {
    const { pool, served, ask } = poolOf({ connections: 1, maxWaiting: 3 });
    const held = await ask('first');
    const waiting = ['a1', 'a2', 'a3'].map((name) => ask(name, 'a'));
    await expect(ask('a4', 'a')).rejects.toMatchObject({ code: 'overloaded' });
    const other = ask('b1', 'b');
    await expect(waiting[2]).rejects.toMatchObject({ code: 'overloaded' });
    pool.release(held);
    pool.release(await Promise.race([other, waiting[0] ?? other]));
    await Promise.all([other, settled()]);
    expect(served).toEqual(['first', 'a1', 'b1']);
  });
});

describe('a connection', () => {
  it('goes to the next caller when the one that it was given to disconnects at that moment', async () => {
    const { pool, served, ask } = poolOf({ connections: 1 });
    const held = await ask('first');
    const caller = new AbortController();
    const leaving = ask('leaving', 'a', caller.signal);
    void ask('staying', 'b');
    pool.release(held);
    caller.abort();
    await expect(leaving).rejects.toMatchObject({ code: 'cancelled' });
    await settled();
    expect(served).toEqual(['first', 'staying']);
  });

  it('is opened from the start where some are kept, all once it has worked, and when one is lost at work', async () => {
    const opened: FakeConnection[] = [];
    const connect = async (): Promise<FakeConnection> => {
      opened.push(new FakeConnection());
      return Promise.resolve(opened.at(-1) ?? new FakeConnection());
    };
    const pool = new ConnectionPool(connect, { ...LIMITS, minConnections: 2 });
    await settled();
    expect(opened).toHaveLength(1);
    pool.release(await pool.acquire(callOf()));
    await settled();
    expect(opened).toHaveLength(2);
    opened[0]?.destroy();
    await settled();
    expect(opened).toHaveLength(2);
    (await pool.acquire(callOf())).destroy();
    await settled();
    expect(opened.map(({ alive }) => alive)).toEqual([false, false, true, true]);
  });

  it('that has worked is given to a caller before one that has just opened', async () => {
    const { pool, ask } = poolOf({ minConnections: 2 });
    const worked = await ask('first');
    pool.release(worked);
    await settled();
    expect(await ask('second')).toBe(worked);
  });

  it('that is lost is no longer held by its caller', async () => {
    const { pool, served, ask } = poolOf();
    pool.release(await ask('b'));
    const lost = await ask('a1', 'a');
    lost.destroy();
    pool.release(lost);
    await ask('a2', 'a');
    expect(served).toEqual(['b', 'a1', 'a2']);
  });
});
