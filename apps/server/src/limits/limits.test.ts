import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { rateLimitSettings } from '../settings/groups/rate-limits.ts';
import { LocalCounts, MAX_OWNERS } from './counts/local-counts.ts';
import type { ServiceCounts } from './counts/service-counts.ts';
import { openLimits, limitsOver } from './limits.ts';
import { INVALID_TOKENS, policyNamed, RECORDS, REQUESTS } from './counts/policies.ts';
import type { Consumption, Usage } from './counts/rate-limit-state.ts';

const log = { info: () => undefined, warn: () => undefined };

/** Limits in memory under a clock that the test moves. */
async function limitsWith(input: object) {
  const clock = { now: 0 };
  const limits = await openLimits(rateLimitSettings.parse(input), { log, now: () => clock.now });
  return { limits, clock };
}

describe('the settings', () => {
  it('limit what hurts, and nothing else, where they are silent', () => {
    expect(rateLimitSettings.parse({})).toEqual({
      requests_per_minute: 'unlimited',
      concurrent_queries: 256,
      concurrent_watches: 256,
      rows_per_day: 'unlimited',
      failures_per_minute: 600,
    });
  });

  it.each([0, -1, 1.5, 1e13, 'none', null])('refuse %j as a limit', (limit) => {
    expect(rateLimitSettings.safeParse({ concurrent_queries: limit }).success).toBe(false);
  });

  it.each(['redis://127.0.0.1:6379', 'rediss://:secret@cache.example/2'])(
    'take %s as a Redis',
    (redis) => {
      expect(rateLimitSettings.safeParse({ redis }).success).toBe(true);
    },
  );

  it.each(['localhost', 'http://127.0.0.1', '6379', ''])('refuse %j as a Redis', (redis) => {
    expect(rateLimitSettings.safeParse({ redis }).success).toBe(false);
  });
});

describe('requests of a token', () => {
  it('are limited for each token by itself', async () => {
    const { limits, clock } = await limitsWith({ requests_per_minute: 2 });
    const take = async (token: string) => (await limits.consumeRequest(token)).requests;
    expect(await take('a')).toMatchObject({
      allowed: true,
      limit: 2,
      remaining: 1,
      windowSeconds: 60,
      resetSeconds: 61,
    });
    expect(await take('a')).toMatchObject({ allowed: true, remaining: 0 });
    expect(await take('a')).toMatchObject({ allowed: false, remaining: 0, resetSeconds: 61 });
    expect(await take('b')).toMatchObject({ allowed: true, remaining: 1 });
    clock.now = 61_000;
    expect(await take('a')).toMatchObject({ allowed: true });
  });

  it('have no state where nothing limits them', async () => {
    const { limits } = await limitsWith({});
    expect(await limits.consumeRequest('a')).toEqual({ requests: undefined, records: undefined });
    expect(await limits.consumeRecords('a', 1000)).toBeUndefined();
  });
});

describe('the quota of records of a token', () => {
  it('is consumed by reading, and all of it remains again a day later', async () => {
    const { limits, clock } = await limitsWith({ rows_per_day: 100 });
    const mayRead = async () => (await limits.consumeRequest('a')).records;
    expect(await limits.consumeRecords('a', 60)).toMatchObject({ remaining: 40, allowed: true });
    expect(await mayRead()).toMatchObject({ remaining: 40, allowed: true });
    expect(await limits.consumeRecords('a', 60)).toMatchObject({ remaining: 0 });
    expect(await mayRead()).toMatchObject({ remaining: 0, allowed: false, resetSeconds: 87_300 });
    clock.now = 87_300_000;
    expect(await mayRead()).toMatchObject({ remaining: 100, allowed: true });
  });
});

describe('queries at once', () => {
  it('are limited until one ends, and ending twice counts once', async () => {
    const { limits } = await limitsWith({ concurrent_queries: 2 });
    const first = await limits.acquireSlot('a');
    expect(first.state).toMatchObject({ remaining: 1, resetSeconds: undefined });
    await limits.acquireSlot('a');
    const refused = await limits.acquireSlot('a');
    expect(refused.state).toMatchObject({ allowed: false, remaining: 0 });
    refused.release();
    expect((await limits.acquireSlot('a')).state?.allowed).toBe(false);
    first.release();
    first.release();
    expect((await limits.acquireSlot('a')).state?.allowed).toBe(true);
    expect((await limits.acquireSlot('a')).state?.allowed).toBe(false);
    expect((await limits.acquireSlot('b')).state?.allowed).toBe(true);
  });
});

it('queries that are unlimited acquire slots without end', async () => {
  const { limits } = await limitsWith({ concurrent_queries: 'unlimited' });
  const slots = await Promise.all(
    Array.from({ length: 1000 }, async () => limits.acquireSlot('a')),
  );
  const states = slots.map(({ state }) => state);
  expect(new Set(states)).toEqual(new Set([undefined]));
});

it('a caller who released all slots but one holds that one', async () => {
  const { limits } = await limitsWith({ concurrent_queries: 2 });
  const first = await limits.acquireSlot('a');
  await limits.acquireSlot('a');
  first.release();
  expect((await limits.acquireSlot('a')).state).toMatchObject({ allowed: true, remaining: 0 });
});

it('watches and queries are limited beside each other', async () => {
  const { limits } = await limitsWith({ concurrent_queries: 1, concurrent_watches: 1 });
  const taken = [];
  for (const round of [1, 2])
    taken.push([round, await limits.acquireSlot('a'), await limits.acquireWatch('a')]);
  taken.push([3, await limits.acquireSlot('b'), await limits.acquireWatch('b')]);
  const allowed = { state: { allowed: true } };
  const refused = { state: { allowed: false } };
  expect(taken).toMatchObject([
    [1, allowed, allowed],
    [2, refused, refused],
    [3, allowed, allowed],
  ]);
});

it('queries borrow their slots where processes are one service', async () => {
  const borrow = vi.fn<ServiceCounts['borrow']>().mockResolvedValue({ granted: false, lent: 1 });
  const service = { workers: 2, borrow } as unknown as ServiceCounts;
  const limits = await openLimits(rateLimitSettings.parse({}), { log, service });
  expect((await limits.acquireSlot('a')).state?.allowed).toBe(true);
  const small = rateLimitSettings.parse({ concurrent_queries: 1 });
  const others = await openLimits(small, { log, service });
  expect((await others.acquireSlot('a')).state?.allowed).toBe(false);
});

it('a policy of a window is found by its name, and no other is', () => {
  for (const policy of [REQUESTS, INVALID_TOKENS, RECORDS])
    expect(policyNamed(policy.name)).toBe(policy);
  expect(() => policyNamed('concurrent-queries')).toThrow('There is no policy concurrent-queries.');
});

describe('an address', () => {
  it('is blocked while another process finds that it sent too many', async () => {
    const { limits, clock } = await limitsWith({ failures_per_minute: 3 });
    limits.block('192.0.2.1', 5000);
    expect(limits.blocked('192.0.2.1')).toMatchObject({ remaining: 0, resetSeconds: 5 });
    clock.now = 5000;
    expect(limits.blocked('192.0.2.1')).toBeUndefined();
  });

  it('is blocked by invalid tokens for as long as they are in the window', async () => {
    const { limits, clock } = await limitsWith({ failures_per_minute: 3 });
    for (const now of [0, 1000, 2000]) {
      clock.now = now;
      expect(limits.blocked('192.0.2.1')).toBeUndefined();
      limits.countInvalidToken('192.0.2.1');
    }
    expect(limits.blocked('192.0.2.1')).toMatchObject({ allowed: false, resetSeconds: 59 });
    expect(limits.blocked('192.0.2.2')).toBeUndefined();
    clock.now = 61_000;
    expect(limits.blocked('192.0.2.1')).toBeUndefined();
  });

  it('is never blocked where failures are unlimited', async () => {
    const { limits } = await limitsWith({ failures_per_minute: 'unlimited' });
    for (let count = 0; count < 1000; count++) limits.countInvalidToken('192.0.2.1');
    expect(limits.blocked('192.0.2.1')).toBeUndefined();
  });
});

it('no request passes a limit of none, whoever looks', () => {
  const counts = new LocalCounts(() => 0);
  const looking = { policy: REQUESTS, owner: 'a', amount: 0, unconditional: false };
  expect(counts.size(REQUESTS)).toBe(0);
  expect(counts.consume({ ...looking, limit: 0 })).toMatchObject({ allowed: false });
  expect(counts.consume({ ...looking, limit: 1 })).toMatchObject({ allowed: true });
});

describe('memory', () => {
  it('holds 10,000 owners of each policy, and looking adds none', () => {
    const counts = new LocalCounts(() => 0);
    const consumption: Consumption = {
      policy: REQUESTS,
      owner: '',
      limit: 5,
      amount: 1,
      unconditional: false,
    };
    for (let owner = 0; owner < MAX_OWNERS + 500; owner++) {
      counts.consume({ ...consumption, owner: `a${owner}` });
      counts.consume({ ...consumption, policy: INVALID_TOKENS, owner: `b${owner}`, amount: 0 });
    }
    expect(MAX_OWNERS).toBe(10_000);
    expect(counts.size(REQUESTS)).toBe(MAX_OWNERS);
    expect(counts.size(INVALID_TOKENS)).toBe(0);
  });
});

const standstill = () => 0;

/**
 * A store beside the process that answers late, in whatever order, refuses as it likes, or cannot
 * be asked.
 */
function capriciousStore(scheduler: fc.Scheduler, moods: readonly ('yes' | 'no' | 'down')[]) {
  let asked = 0;
  const answer = scheduler.scheduleFunction(
    async (consumptions: readonly Consumption[]): Promise<Usage[] | undefined> => {
      const mood = moods[asked++ % moods.length];
      return mood === 'down'
        ? undefined
        : consumptions.map(() => ({ consumed: 1, allowed: mood === 'yes', resetMs: 1000 }));
    },
  );
  return { consume: answer };
}

it('lets no more than the limit pass, whatever Redis does and in whatever order it answers', async () => {
  const moods = fc.array(fc.constantFrom('yes', 'no', 'down'), { minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      moods,
      fc.integer({ min: 1, max: 8 }),
      async (scheduler, sequence, limit) => {
        const shared = capriciousStore(scheduler, sequence);
        const limits = limitsOver(rateLimitSettings.parse({ requests_per_minute: limit }), {
          local: new LocalCounts(standstill),
          shared,
          now: standstill,
        });
        const taken = Promise.all(
          Array.from({ length: 20 }, async () => limits.consumeRequest('a')),
        );
        await scheduler.waitFor(taken);
        const passed = (await taken).filter(({ requests }) => requests?.allowed === true);
        expect(passed.length).toBeLessThanOrEqual(limit);
        // Nor fewer, where Redis refuses nobody.
        expect(passed.length).toBeGreaterThanOrEqual(sequence.includes('no') ? 0 : limit);
      },
    ),
  );
});
