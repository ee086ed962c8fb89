import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { withRetry } from './retry.ts';

describe('work that is tried twice', () => {
  it('has one time limit for both attempts', async () => {
    const limits: number[] = [];
    const attempt = async ({ timeoutMs }: { readonly timeoutMs: number }): Promise<string> => {
      limits.push(timeoutMs);
      await sleep(20);
      if (limits.length === 1) throw new Error('It is lost.');
      return 'answered';
    };
    const call = { signal: undefined, timeoutMs: 1000 };
    expect(await withRetry({ attempt, mayRetry: async () => true }, call)).toBe('answered');
    const [first, second = 1000] = limits;
    expect(first).toBe(1000);
    // A timer may fire a little early.
    expect(second).toBeLessThan(985);
  });

  it('fails at once where a second attempt promises nothing', async () => {
    let attempts = 0;
    const attempt = async (): Promise<never> => {
      attempts += 1;
      throw new Error('It is wrong.');
    };
    await expect(
      withRetry({ attempt, mayRetry: async () => false }, { signal: undefined, timeoutMs: 1000 }),
    ).rejects.toThrow('It is wrong.');
    expect(attempts).toBe(1);
  });
});
