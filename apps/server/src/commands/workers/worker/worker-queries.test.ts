import { setImmediate } from 'node:timers/promises';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { WorkerQueries } from '../../../limits/worker-queries.ts';
import { LentSlots } from '../primary/lent-slots.ts';
import type { Channel } from '../shared/channel.ts';
import type { ToPrimary, ToWorker } from '../shared/protocol.ts';
import { WorkerCounts } from './worker-counts.ts';

/** The workers of one service, which borrow from the same process. */
function startWorkers(count: number) {
  const lent = new LentSlots();
  const workers = Array.from({ length: count }, (_, index) => {
    const borrow = async (token: string, pool: number) => lent.borrow(index, token, pool);
    const giveBack = (token: string): void => lent.giveBack(index, token);
    return new WorkerQueries({ workers: count, borrow, giveBack, consume: notCounted });
  });
  return { lent, workers };
}

function notCounted(): Promise<never> {
  throw new Error('Nothing is counted here.');
}

/** How many of many queries of a token get a slot in one worker. */
async function granted(worker: WorkerQueries | undefined, limit: number): Promise<number> {
  let slots = 0;
  for (let count = 0; count < 2 * limit; count++) {
    const slot = await worker?.acquire('a', limit);
    if (slot?.state?.allowed === true) slots += 1;
  }
  return slots;
}

describe('queries at once in several workers', () => {
  it.each([1, 2, 3, 63, 64, 100, 256])(
    'are at most %i, in whichever workers they run',
    async (limit) => {
      const { workers } = startWorkers(2);
      const first = await granted(workers[0], limit);
      expect(first + (await granted(workers[1], limit))).toBe(limit);
    },
  );

  it('of a small limit may all run in one worker, of a large one three quarters in one of two', async () => {
    expect(await granted(startWorkers(2).workers[0], 63)).toBe(63);
    expect(await granted(startWorkers(2).workers[0], 64)).toBe(48);
    expect(await granted(startWorkers(2).workers[0], 256)).toBe(192);
  });

  it('end once each, and leave their slots to other workers', async () => {
    const { workers } = startWorkers(2);
    const slot = await workers[0]?.acquire('a', 1);
    const refused = await workers[0]?.acquire('a', 1);
    refused?.release();
    expect((await workers[1]?.acquire('a', 1))?.state?.allowed).toBe(false);
    slot?.release();
    slot?.release();
    expect((await workers[1]?.acquire('a', 1))?.state?.allowed).toBe(true);
    expect((await workers[0]?.acquire('a', 1))?.state?.allowed).toBe(false);
  });

  it('leave the rest of the limit, as far as their worker knows', async () => {
    const [worker] = startWorkers(2).workers;
    expect((await worker?.acquire('small', 3))?.state).toMatchObject({ limit: 3, remaining: 2 });
    const large = Array.from({ length: 66 }, async () => worker?.acquire('large', 256));
    const remaining = (await Promise.all(large)).map((slot) => slot?.state?.remaining);
    expect([remaining[0], remaining[63]]).toEqual([255, 192]);
    // Half of the limit is what both workers own.
    expect(remaining.slice(64)).toEqual([127, 126]);
  });

  it('of a worker that has ended are over', async () => {
    const { lent, workers } = startWorkers(2);
    expect(await granted(workers[0], 3)).toBe(3);
    lent.workerEnded(0);
    expect(await granted(workers[1], 3)).toBe(3);
  });
});

it('a slot that the primary process grants too late is given back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const lent = new LentSlots();
  const primary = Promise.withResolvers<void>();
  const channel = {
    ask: async (_name: string, { token, pool }: ToPrimary['borrow'][0]) => {
      await primary.promise;
      return lent.borrow(1, token, pool);
    },
    tell: (_name: string, token: string) => lent.giveBack(1, token),
  };
  const worker = new WorkerQueries(new WorkerCounts(channel as Channel<ToPrimary, ToWorker>, 2));
  const late = Array.from({ length: 4 }, async () => worker.acquire('a', 4));
  const refused = Promise.allSettled(late);
  await vi.advanceTimersByTimeAsync(5000);
  const codes = (await refused).map((one) => one.status === 'rejected' && one.reason.code);
  expect(new Set(codes)).toEqual(new Set(['overloaded']));
  primary.resolve();
  await setImmediate();
  const slots = await Promise.all(Array.from({ length: 4 }, async () => worker.acquire('a', 4)));
  expect(slots.map(({ state }) => state?.allowed)).toEqual([true, true, true, true]);
  expect((await worker.acquire('a', 4)).state?.allowed).toBe(false);
});

it('queries without a limit run without asking anybody', async () => {
  const slot = await startWorkers(2).workers[0]?.acquire('a', 'unlimited');
  expect(slot?.state).toBeUndefined();
});
