import { describe, expect, it } from 'vitest';

import { withRetry } from './retry.ts';

const once = async (_error: unknown, attempts: number): Promise<boolean> => attempts === 1;

describe('work that only reads', () => {
  it('is tried a second time where that promises something', async () => {
    let attempts = 0;
    const attempt = async (): Promise<string> => {
      attempts += 1;
      if (attempts === 1) throw new Error('It is lost.');
      return 'answered';
    };
    expect(await withRetry({ attempt, mayRetry: once })).toBe('answered');
  });

  it('fails when the second attempt fails too', async () => {
    let attempts = 0;
    const attempt = async (): Promise<never> => {
      attempts += 1;
      throw new Error(`Attempt ${attempts} is lost.`);
    };
    await expect(withRetry({ attempt, mayRetry: once })).rejects.toThrow('Attempt 2');
  });

  it('fails at once where a second attempt promises nothing', async () => {
    let attempts = 0;
    const attempt = async (): Promise<never> => {
      attempts += 1;
      throw new Error('It is wrong.');
    };
    await expect(withRetry({ attempt, mayRetry: async () => false })).rejects.toThrow(
      'It is wrong.',
    );
    expect(attempts).toBe(1);
  });
});
