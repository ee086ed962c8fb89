import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { FeedPosition, type WaitLimits } from './position.ts';

const PATIENT: WaitLimits = { nudgeMs: 0, giveUpMs: 60_000, farBytes: 1000n };
const HASTY: WaitLimits = { nudgeMs: 60_000, giveUpMs: 0, farBytes: 1000n };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A position whose nudges end when the test says so. */
class Waiting {
  readonly counters = { waits: 0, lateWaits: 0, waitMs: 0, nudges: 0 };
  readonly nudges: ((flushed: bigint) => void)[] = [];
  readonly position: FeedPosition;

  constructor(limits: WaitLimits) {
    const nudge = (): Promise<bigint> => new Promise((resolve) => this.nudges.push(resolve));
    this.position = new FeedPosition(100n, { nudge, counters: this.counters, limits });
  }

  /** Waits until it is over, one way or the other. */
  async reach(position: bigint): Promise<boolean> {
    const reached = this.position.reach(position);
    await settle();
    return reached;
  }

  /** How often the server was made to write out its log, once all that is due is done. */
  async nudged(): Promise<number> {
    await settle();
    return this.nudges.length;
  }
}

/** Lets timers run that are due. */
async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(20);
}

describe('a position of the change log', () => {
  it('is reached at once where it was followed before', async () => {
    const { position, counters } = new Waiting(PATIENT);
    expect(await position.reach(100n)).toBe(true);
    expect(counters).toMatchObject({ waits: 0, nudges: 0 });
  });

  it('is reached as soon as the log was followed up to it', async () => {
    const { position } = new Waiting(PATIENT);
    const [near, further] = [position.reach(110n), position.reach(120n)];
    position.advance(110n);
    expect(await near).toBe(true);
    position.advance(130n);
    expect(await further).toBe(true);
  });

  it('is not waited for where the log is far behind', async () => {
    const { position, counters } = new Waiting(PATIENT);
    expect(await position.reach(1101n)).toBe(false);
    expect(counters.waits).toBe(0);
  });

  it('makes the server write out its log once for all who wait', async () => {
    const waiting = new Waiting(PATIENT);
    const reads = [110n, 120n, 130n].map((position) => waiting.position.reach(position));
    expect(await waiting.nudged()).toBe(1);
    waiting.nudges[0]?.(130n);
    expect(await waiting.nudged()).toBe(1);
    waiting.position.advance(140n);
    expect(await Promise.all(reads)).toEqual([true, true, true]);
  });

  it('makes the server do so again for those who came meanwhile', async () => {
    const waiting = new Waiting(PATIENT);
    const reads = [waiting.position.reach(110n)];
    expect(await waiting.nudged()).toBe(1);
    reads.push(waiting.position.reach(150n));
    expect(await waiting.nudged()).toBe(1);
    waiting.nudges[0]?.(120n);
    expect(await waiting.nudged()).toBe(2);
    waiting.position.close();
    expect(await Promise.all(reads)).toEqual([false, false]);
  });

  it('is given up in the end, and then waited for by nobody until it is reached', async () => {
    const waiting = new Waiting(HASTY);
    expect(await waiting.reach(110n)).toBe(false);
    expect(await waiting.position.reach(105n)).toBe(false);
    expect(waiting.counters).toMatchObject({ waits: 1, lateWaits: 1 });
    waiting.position.advance(110n);
    expect(await waiting.position.reach(110n)).toBe(true);
    void waiting.position.reach(120n);
    expect(waiting.counters.waits).toBe(2);
  });

  it('is still waited for by a read that has more time than the one that gave up', async () => {
    const waiting = new Waiting(HASTY);
    const { position, counters } = waiting;
    expect(await waiting.reach(110n)).toBe(false);
    const patient = position.reach(110n, 60_000);
    expect(await position.reach(110n)).toBe(false);
    position.advance(110n);
    expect(await patient).toBe(true);
    expect(counters).toMatchObject({ waits: 2, lateWaits: 1 });
  });

  it('is waited for by nobody who has less time than it has been late for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const waiting = new Waiting(HASTY);
    const { position } = waiting;
    expect(await waiting.reach(110n)).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(await position.reach(110n, 100)).toBe(false);
  });

  it('makes the server write out its log also after it was given up', async () => {
    const waiting = new Waiting(HASTY);
    expect(await waiting.reach(110n)).toBe(false);
    expect(await waiting.nudged()).toBe(1);
    waiting.nudges[0]?.(105n);
    expect(await waiting.nudged()).toBe(2);
  });

  it('is reached no more once following has ended, unless it was', async () => {
    const { position } = new Waiting(PATIENT);
    const waits = position.reach(110n);
    position.close();
    expect(await waits).toBe(false);
    expect([await position.reach(120n), await position.reach(100n)]).toEqual([false, true]);
  });
});
