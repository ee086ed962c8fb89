import { getEventListeners } from 'node:events';

import { describe, expect, it } from 'vitest';

import {
  type DeadlineLimits,
  remainingMs,
  waitOrAbort,
  waitOrStop,
  withDeadline,
} from './deadline.ts';

/** A wait whose answer is given by hand, and how often it was aborted. */
function waiting(wait: typeof waitOrAbort, limits: Partial<DeadlineLimits> = {}) {
  const answer = Promise.withResolvers<string>();
  const aborts: number[] = [];
  const waited = withDeadline({ timeoutMs: 60_000, ...limits }, ({ signal }) =>
    wait(answer.promise, signal, () => aborts.push(1)),
  );
  return { answer, aborts, waited };
}

const timers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe.each([
  ['a wait', waitOrAbort],
  ['a wait for work that is stopped', waitOrStop],
] as const)('%s', (_name, wait) => {
  it('ends with the answer, and nothing that happens later is reported', async () => {
    const caller = new AbortController();
    const { answer, aborts, waited } = waiting(wait, { signal: caller.signal });
    answer.resolve('answer');
    await answer.promise;
    caller.abort();
    expect(await waited).toBe('answer');
    expect(aborts).toEqual([]);
  });

  it('ends when the caller disconnects, be it at the moment of the answer', async () => {
    const caller = new AbortController();
    const { answer, aborts, waited } = waiting(wait, { signal: caller.signal });
    answer.resolve('answer');
    caller.abort();
    await expect(waited).rejects.toMatchObject({ code: 'cancelled' });
    expect(aborts).toHaveLength(1);
  });

  it('ends at once for a caller that has disconnected before', async () => {
    const { aborts, waited } = waiting(wait, { signal: AbortSignal.abort() });
    await expect(waited).rejects.toMatchObject({ code: 'cancelled' });
    expect(aborts).toHaveLength(1);
  });

  it('ends at the time limit, with the error of whoever waits', async () => {
    await expect(waiting(wait, { timeoutMs: 1 }).waited).rejects.toMatchObject({
      code: 'query_timeout',
      message: 'The query took longer than 1 ms.',
    });
    const own = { timeoutMs: 1, timeoutError: () => new Error('Enough.') };
    await expect(waiting(wait, own).waited).rejects.toThrow('Enough.');
  });

  it('ends as the answer fails', async () => {
    const { answer, waited } = waiting(wait);
    answer.reject(new Error('broken'));
    await expect(waited).rejects.toThrow('broken');
  });
});

describe('work that is stopped at its time limit', () => {
  it('may still have its answer in the moment that it has to end', async () => {
    const { answer, aborts, waited } = waiting(waitOrStop, { timeoutMs: 1 });
    await expect.poll(() => aborts).toHaveLength(1);
    answer.resolve('answer');
    expect(await waited).toBe('answer');
  });

  it('fails by the time limit, not by the error that stopping it causes', async () => {
    const { answer, aborts, waited } = waiting(waitOrStop, { timeoutMs: 1 });
    await expect.poll(() => aborts).toHaveLength(1);
    answer.reject(new Error('stopped'));
    await expect(waited).rejects.toMatchObject({ code: 'query_timeout' });
  });
});

describe('a deadline', () => {
  it('passes the reason of the one that it is inside of on', async () => {
    const never = new Promise(() => undefined);
    const waited = withDeadline({ timeoutMs: 1 }, ({ signal }) =>
      withDeadline({ signal, timeoutMs: 60_000 }, (inner) => waitOrAbort(never, inner.signal)),
    );
    await expect(waited).rejects.toMatchObject({ code: 'query_timeout' });
  });

  it('says how much time is left, and never that there is no limit', async () => {
    await withDeadline({ timeoutMs: 1000 }, async (deadline) => {
      expect(remainingMs(deadline)).toBeGreaterThan(0);
      expect(remainingMs(deadline)).toBeLessThanOrEqual(1000);
    });
    expect(remainingMs({ deadline: performance.now() - 5 })).toBe(1);
  });

  it('leaves no listener and no timer behind, in 100,000 requests of one connection', async () => {
    const { signal } = new AbortController();
    const before = timers();
    for (let request = 0; request < 100_000; request++) {
      await withDeadline({ signal, timeoutMs: 60_000 }, (deadline) =>
        waitOrStop(waitOrAbort(Promise.resolve(request), deadline.signal), deadline.signal),
      );
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(timers()).toBe(before);
  });
});
