import { afterEach, describe, expect, it, vi } from 'vitest';

import type { Ask, Principal } from '../endpoint/ask.ts';
import { AccessChecks, LastingAccess } from './lasting-access.ts';

afterEach(() => void vi.useRealTimers());

function principalOf(id: string): Principal {
  return { id, name: id, role: 'caller', grant: { key: 'all' } } as unknown as Principal;
}

/** Callers of a service whose tokens are their ids, as long as they are valid. */
function startChecks() {
  vi.useFakeTimers({ toFake: ['performance'] });
  const valid = new Set(['ann', 'bob']);
  const asked: string[] = [];
  const checks = new AccessChecks(
    async ({ id }) => {
      asked.push(id);
      if (valid.has(id)) return principalOf(id);
      throw new Error('The token is not valid.');
    },
    ({ id }) => id,
  );
  const access = (token: string): LastingAccess => {
    const ask = { id: token, principal: principalOf(token) };
    return new LastingAccess(ask as Ask, checks);
  };
  return { valid, asked, access };
}

describe('who may still get a long reply', () => {
  it('is asked once a second for all replies with the same token', async () => {
    const { asked, access } = startChecks();
    const replies = ['ann', 'ann', 'bob', 'ann'].map(access);
    expect(replies.map((one) => one.isSame())).toEqual([true, true, true, true]);
    for (let second = 1; second <= 2; second++) {
      vi.advanceTimersByTime(1000);
      for (const one of replies) expect(await one.isSame()).toBe(true);
      expect(replies.map((one) => one.isSame())).toEqual([true, true, true, true]);
      expect(asked).toHaveLength(2 * second);
    }
  });

  it('is asked anew of a token that was found valid before the settings changed', async () => {
    const { valid, asked, access } = startChecks();
    const replies = ['ann', 'ann'].map(access);
    vi.advanceTimersByTime(1000);
    for (const one of replies) await one.isSame();
    valid.delete('ann');
    vi.advanceTimersByTime(1);
    for (const one of replies) {
      one.forget();
      await expect(one.isSame()).rejects.toThrow('not valid');
    }
    expect(asked).toHaveLength(3);
  });

  it('is no longer asked of what was found longer ago than a second', async () => {
    const { valid, access } = startChecks();
    const [early, late] = [access('ann'), access('ann')];
    vi.advanceTimersByTime(1000);
    expect(await early.isSame()).toBe(true);
    valid.delete('ann');
    vi.advanceTimersByTime(999);
    expect(await late.isSame()).toBe(true);
    vi.advanceTimersByTime(1);
    await expect(late.isSame()).rejects.toThrow('not valid');
  });
});
