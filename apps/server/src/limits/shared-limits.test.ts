import { setImmediate as nextLoop } from 'node:timers/promises';

import { describe, expect, it, vi } from 'vitest';

import { rateLimitSettings } from '../settings/groups/rate-limits.ts';
import { type Limits, createUnlimited, limitsOver } from './limits.ts';
import { LocalCounts } from './counts/local-counts.ts';
import { INVALID_TOKENS, RECORDS, REQUESTS } from './counts/policies.ts';
import type { Consumption, Usage } from './counts/rate-limit-state.ts';

type Store = (consumptions: readonly Consumption[]) => Promise<Usage[] | undefined>;

/** Limits that are counted here and in a store that other processes share. */
function limitsSharedWith(store: Store, input: object) {
  const clock = { now: 0 };
  const consume = vi.fn<Store>(store);
  const now = () => clock.now;
  const counters = { local: new LocalCounts(now), shared: { consume }, now };
  const limits: Omit<Limits, 'close'> = limitsOver(rateLimitSettings.parse(input), counters);
  return { limits, clock, consume };
}

/** A store in which everybody has consumed so much. */
function storeAt(consumed: number, { allowed = true, resetMs = 5000 } = {}): Store {
  return async (consumptions) =>
    Promise.resolve(consumptions.map(() => ({ consumed, allowed, resetMs })));
}

describe('a request that is counted in a store too', () => {
  const BOTH = { requests_per_minute: 10, rows_per_day: 100 };

  it('asks for one request and looks at the quota of records, in one call', async () => {
    const { limits, consume } = limitsSharedWith(storeAt(1), BOTH);

    await limits.consumeRequest('ann');

    expect(consume.mock.calls).toEqual([
      [
        [
          { policy: REQUESTS, owner: 'ann', limit: 10, amount: 1, unconditional: false },
          { policy: RECORDS, owner: 'ann', limit: 100, amount: 0, unconditional: false },
        ],
      ],
    ]);
  });

  it('reports the limits to each its own, whichever of them there is', async () => {
    const requests = limitsSharedWith(storeAt(1), { requests_per_minute: 10 }).limits;
    const records = limitsSharedWith(storeAt(1), { rows_per_day: 100 }).limits;

    expect(await requests.consumeRequest('ann')).toMatchObject({
      requests: { limit: 10 },
      records: undefined,
    });
    expect(await records.consumeRequest('ann')).toMatchObject({
      requests: undefined,
      records: { limit: 100 },
    });
  });

  it('does not ask the store where nothing is limited', async () => {
    const { limits, consume } = limitsSharedWith(storeAt(1), {});

    await limits.consumeRequest('ann');
    await limits.consumeRecords('ann', 5);

    expect(consume).not.toHaveBeenCalled();
  });

  it('reports what the store has counted, where that is more than this process has', async () => {
    const { limits } = limitsSharedWith(storeAt(7), { requests_per_minute: 10 });

    expect((await limits.consumeRequest('ann')).requests).toMatchObject({
      allowed: true,
      remaining: 3,
      resetSeconds: 5,
    });
  });

  it('reports what this process has counted, where the store has lost its counts', async () => {
    const { limits } = limitsSharedWith(storeAt(1), { requests_per_minute: 10 });
    await limits.consumeRequest('ann');
    await limits.consumeRequest('ann');

    expect((await limits.consumeRequest('ann')).requests).toMatchObject({ remaining: 7 });
  });

  it('is refused where either of the two refuses it', async () => {
    const refusing = limitsSharedWith(storeAt(1, { allowed: false }), { requests_per_minute: 1 });
    const generous = limitsSharedWith(storeAt(0), { requests_per_minute: 1 });
    await generous.limits.consumeRequest('ann');

    expect((await refusing.limits.consumeRequest('ann')).requests?.allowed).toBe(false);
    expect((await generous.limits.consumeRequest('ann')).requests?.allowed).toBe(false);
  });

  it('consumes nothing here where the store refuses it', async () => {
    let allowed = false;
    const { limits } = limitsSharedWith((all) => storeAt(0, { allowed })(all), {
      requests_per_minute: 1,
    });
    await limits.consumeRequest('ann');
    allowed = true;

    expect((await limits.consumeRequest('ann')).requests?.allowed).toBe(true);
  });

  it('counts here alone where the store does not answer', async () => {
    const { limits } = limitsSharedWith(() => Promise.resolve(undefined), {
      requests_per_minute: 10,
    });

    expect((await limits.consumeRequest('ann')).requests).toMatchObject({ remaining: 9 });
  });
});

describe('records that were read', () => {
  it('are counted in the store and here, even where it allows no more', async () => {
    let usages: Usage[] | undefined = [{ consumed: 100, allowed: false, resetMs: 5000 }];
    const { limits, consume } = limitsSharedWith(() => Promise.resolve(usages), {
      rows_per_day: 100,
    });

    const state = await limits.consumeRecords('ann', 60);
    usages = undefined;

    expect(state).toMatchObject({ allowed: false, remaining: 0 });
    expect(consume.mock.calls).toEqual([
      [[{ policy: RECORDS, owner: 'ann', limit: 100, amount: 60, unconditional: true }]],
    ]);
    expect((await limits.consumeRequest('ann')).records).toMatchObject({ remaining: 40 });
  });
});

describe('an address that sends invalid tokens to several processes', () => {
  const LIMITED = { failures_per_minute: 3 };

  it('is counted in the store, and is not blocked below the limit', async () => {
    const { limits, consume } = limitsSharedWith(storeAt(2), LIMITED);

    limits.countInvalidToken('192.0.2.1');
    await vi.waitFor(() => expect(consume).toHaveBeenCalledOnce());
    await nextLoop();

    expect(consume.mock.calls).toEqual([
      [[{ policy: INVALID_TOKENS, owner: '192.0.2.1', limit: 3, amount: 1, unconditional: true }]],
    ]);
    expect(limits.blocked('192.0.2.1')).toBeUndefined();
  });

  it('is blocked at the limit until the store says that there is room', async () => {
    const { limits, clock } = limitsSharedWith(storeAt(3, { resetMs: 5000 }), LIMITED);
    clock.now = 1000;

    limits.countInvalidToken('192.0.2.1');
    await vi.waitFor(() => expect(limits.blocked('192.0.2.1')).toBeDefined());

    clock.now = 2000;
    expect(limits.blocked('192.0.2.1')).toMatchObject({
      allowed: false,
      remaining: 0,
      resetSeconds: 4,
    });
    expect(limits.blocked('192.0.2.2')).toBeUndefined();
    clock.now = 6000;
    expect(limits.blocked('192.0.2.1')).toBeUndefined();
  });

  it('is not asked for where invalid tokens are unlimited', () => {
    const { limits, consume } = limitsSharedWith(storeAt(9), { failures_per_minute: 'unlimited' });

    limits.countInvalidToken('192.0.2.1');

    expect(consume).not.toHaveBeenCalled();
  });
});

it('remembers the tokens that an address sent and that were accepted, until one is not', () => {
  const { limits } = limitsSharedWith(storeAt(0), {});
  limits.remember('192.0.2.1', 'first', true);
  limits.remember('192.0.2.1', 'second', true);
  limits.remember('192.0.2.1', 'second', false);

  const remembered = ['first', 'second', 'third'].filter((token) =>
    limits.remembers('192.0.2.1', token),
  );
  expect(remembered).toEqual(['first']);
});

it('stops nobody where nothing is limited', async () => {
  const limits = createUnlimited();
  for (let count = 0; count < 1000; count++) limits.countInvalidToken('192.0.2.1');

  limits.remember('192.0.2.1', 'first', true);
  expect(limits.remembers('192.0.2.1', 'first')).toBe(true);
  expect(await limits.consumeRequest('ann')).toEqual({ requests: undefined, records: undefined });
  expect(await limits.consumeRecords('ann', 1e9)).toBeUndefined();
  expect((await limits.acquireSlot('ann')).state).toBeUndefined();
  expect(limits.blocked('192.0.2.1')).toBeUndefined();
  limits.close();
});
