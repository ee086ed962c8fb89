import { describe, expect, it } from 'vitest';

import { waitOrAbort } from './deadline.ts';

function waiting(deadline: Partial<Parameters<typeof waitOrAbort>[1]> = {}) {
  const answer = Promise.withResolvers<string>();
  const aborts: number[] = [];
  const waited = waitOrAbort(answer.promise, { signal: undefined, ...deadline }, () =>
    aborts.push(1),
  );
  return { answer, aborts, waited };
}

describe('a wait for an answer', () => {
  it('ends with the answer, and nothing that happens later is reported', async () => {
    const caller = new AbortController();
    const { answer, aborts, waited } = waiting({ signal: caller.signal });
    answer.resolve('answer');
    await answer.promise;
    caller.abort();
    expect(await waited).toBe('answer');
    expect(aborts).toEqual([]);
  });

  it('ends when the caller disconnects, be it at the moment of the answer', async () => {
    const caller = new AbortController();
    const { answer, aborts, waited } = waiting({ signal: caller.signal });
    answer.resolve('answer');
    caller.abort();
    await expect(waited).rejects.toMatchObject({ code: 'cancelled' });
    expect(aborts).toHaveLength(1);
  });

  it('does not begin for a caller that has disconnected', async () => {
    const { aborts, waited } = waiting({ signal: AbortSignal.abort() });
    await expect(waited).rejects.toMatchObject({ code: 'cancelled' });
    expect(aborts).toHaveLength(1);
  });

  it('ends after its time, with the error of whoever waits', async () => {
    await expect(waiting({ timeoutMs: 1 }).waited).rejects.toMatchObject({ code: 'query_timeout' });
    await expect(
      waiting({ timeoutMs: 1, timeoutError: () => new Error('Enough.') }).waited,
    ).rejects.toThrow('Enough.');
  });

  it('ends as the answer fails', async () => {
    const { answer, waited } = waiting();
    answer.reject(new Error('broken'));
    await expect(waited).rejects.toThrow('broken');
  });
});
