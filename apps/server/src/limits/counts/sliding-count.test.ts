import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { REQUESTS, RECORDS, type WindowPolicy, windowMs } from './policies.ts';
import { SlidingCount } from './sliding-count.ts';

const ONE = { amount: 1, unconditional: false };

const policies = fc.constantFrom(
  REQUESTS,
  RECORDS,
  { ...REQUESTS, slotMs: 10, slots: 3 },
  { ...REQUESTS, slotMs: 7, slots: 1 },
);

/** Steps in time from none to a few windows. */
const steps = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 2.5, noNaN: true })), {
  maxLength: 80,
});

/** Times at which an attempt is made, with steps given in windows. */
function timesOf(policy: WindowPolicy, start: number, gaps: readonly number[]): number[] {
  let now = start;
  return gaps.map((gap) => (now += gap * windowMs(policy) * 0.4));
}

describe('a sliding count', () => {
  it('lets the limit pass, and then nothing until the oldest slot has left the window', () => {
    const count = new SlidingCount(REQUESTS, 500);
    const answers = [500, 700, 900, 59_999].map((now) => count.consume({ ...ONE, limit: 3 }, now));
    expect(answers).toEqual([
      { consumed: 1, allowed: true, resetMs: 60_500 },
      { consumed: 2, allowed: true, resetMs: 60_300 },
      { consumed: 3, allowed: true, resetMs: 60_100 },
      { consumed: 3, allowed: false, resetMs: 1001 },
    ]);
    expect(count.consume({ ...ONE, limit: 3 }, 60_999).allowed).toBe(false);
    expect(count.consume({ ...ONE, limit: 3 }, 61_000)).toEqual({
      consumed: 1,
      allowed: true,
      resetMs: 61_000,
    });
  });

  it('does not let twice the limit pass where two minutes meet', () => {
    const count = new SlidingCount(REQUESTS, 0);
    const at = (now: number) =>
      Array.from({ length: 10 }, () => count.consume({ ...ONE, limit: 10 }, now)).filter(
        (r) => r.allowed,
      );
    expect(at(59_900)).toHaveLength(10);
    expect(at(60_100)).toHaveLength(0);
  });

  it('counts what has happened past the limit, and says when that has left', () => {
    const count = new SlidingCount(RECORDS, 0);
    expect(count.consume({ amount: 90, unconditional: true, limit: 100 }, 0)).toMatchObject({
      consumed: 90,
      allowed: true,
    });
    expect(count.consume({ amount: 90, unconditional: true, limit: 100 }, 3_600_000)).toMatchObject(
      {
        consumed: 180,
        allowed: false,
      },
    );
    expect(count.consume({ amount: 0, unconditional: false, limit: 100 }, 3_600_000)).toEqual({
      consumed: 180,
      allowed: false,
      resetMs: 24.25 * 3_600_000 - 3_600_000,
    });
    expect(
      count.consume({ amount: 0, unconditional: false, limit: 100 }, 24.25 * 3_600_000),
    ).toMatchObject({
      consumed: 90,
      allowed: true,
    });
  });

  it('follows a limit that is lowered', () => {
    const count = new SlidingCount(REQUESTS, 0);
    for (const now of [0, 1000, 2000, 3000]) count.consume({ ...ONE, limit: 10 }, now);
    expect(count.consume({ ...ONE, limit: 2 }, 4000)).toEqual({
      consumed: 4,
      allowed: false,
      resetMs: 63_000 - 4000,
    });
    expect(count.consume({ ...ONE, limit: 2 }, 63_000)).toMatchObject({ allowed: true });
  });

  it('forgets nothing when the clock goes back', () => {
    const count = new SlidingCount(REQUESTS, 100_000);
    expect(count.consume({ ...ONE, limit: 1 }, 100_000).allowed).toBe(true);
    expect(count.consume({ ...ONE, limit: 1 }, 10_000).allowed).toBe(false);
    expect(count.consume({ ...ONE, limit: 1 }, 160_999).allowed).toBe(false);
    expect(count.consume({ ...ONE, limit: 1 }, 161_000).allowed).toBe(true);
  });

  it('never lets more than the limit pass in any window', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 80, maxLength: 80 });
    const runs = fc.record({
      policy: policies,
      limit: fc.integer({ min: 1, max: 12 }),
      start: fc.nat(1e9),
      gaps: steps,
      amounts,
    });
    fc.assert(
      fc.property(runs, (run) => {
        const { policy, limit, start, gaps } = run;
        const count = new SlidingCount(policy, start);
        const passed = timesOf(policy, start, gaps)
          .map((now, index) => ({ now, amount: run.amounts[index] ?? 1 }))
          .filter(
            ({ now, amount }) =>
              count.consume({ amount, unconditional: false, limit }, now).allowed,
          );
        for (const { now: end } of passed) {
          const inWindow = passed.filter(({ now }) => now > end - windowMs(policy) && now <= end);
          expect(inWindow.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  it('has room exactly when it says, for whoever was refused last', () => {
    fc.assert(
      fc.property(
        policies,
        fc.integer({ min: 1, max: 12 }),
        fc.nat(1e9),
        steps,
        (policy, limit, start, gaps) => {
          const count = new SlidingCount(policy, start);
          const times = timesOf(policy, start, gaps);
          const usages = times.map((now) => count.consume({ ...ONE, limit }, now));
          for (const { resetMs } of usages) expect(resetMs).toBeGreaterThan(0);
          for (const { resetMs } of usages)
            expect(resetMs).toBeLessThanOrEqual(windowMs(policy) + policy.slotMs);
          const last = usages.at(-1);
          fc.pre(last?.allowed === false);
          const reset = (times.at(-1) ?? 0) + (last?.resetMs ?? 0);
          // A thousandth of a millisecond, for what rounding takes.
          expect(count.consume({ ...ONE, amount: 0, limit }, reset - 0.001).allowed).toBe(false);
          expect(count.consume({ ...ONE, amount: 0, limit }, reset + 0.001).allowed).toBe(true);
        },
      ),
    );
  });
});

it('what left the window leaves it once, however often the ring of slots comes round', () => {
  const count = new SlidingCount(REQUESTS, 0);
  const looking = { limit: 10, amount: 0, unconditional: false };
  count.consume({ ...looking, amount: 1 }, 0);
  const round = (REQUESTS.slots + 1) * REQUESTS.slotMs;
  const consumed = [1, 2, 3].map((times) => count.consume(looking, times * round).consumed);
  expect(consumed).toEqual([0, 0, 0]);
});
