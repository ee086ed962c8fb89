import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';

import { rateLimitSettings } from '../settings/groups/rate-limits.ts';
import type { Counters } from './counts/counters.ts';
import { LocalCounts } from './counts/local-counts.ts';
import { limitsOver } from './limits.ts';

const standstill = (): number => 0;

/** Limits in this process, or in whatever counts for it. */
function limitsOf(perDay: number | 'unlimited', service?: Counters['service']) {
  const settings = rateLimitSettings.parse({ rows_per_day: perDay });
  const local = new LocalCounts(standstill);
  return limitsOver(settings, { local, shared: undefined, service, now: standstill });
}

/** An owner whose queries run, and what is known of them without counting slots of time. */
class Owner {
  readonly #running: { readonly count: number; readonly release: () => void }[] = [];
  readonly #limit: number;
  readonly #limits: ReturnType<typeof limitsOf>;
  #read = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#limits = limitsOf(limit);
  }

  get #others(): number {
    return this.#running.reduce((sum, { count }) => sum + count, 0);
  }

  async acquire(count: number) {
    const left = this.#limit - this.#others - this.#read;
    const expected = { ...this.#expect(left), resetSeconds: left <= 0 && this.#others > 0 };
    const { state, release } = await this.#limits.acquireRecords('a', count);
    if (left > 0) this.#running.push({ count, release });
    return [{ ...state, resetSeconds: state?.resetSeconds === 1 }, expected];
  }

  async release() {
    this.#running.shift()?.release();
    return this.ask();
  }

  async reserve(amount: number) {
    const allowed = this.#limit - this.#others - this.#read >= Math.max(amount, 1);
    if (allowed) this.#read += amount;
    const expected = { ...this.#expect(this.#limit - this.#others - this.#read), allowed };
    return [await this.#limits.reserveRecords('a', amount), expected];
  }

  async consume(amount: number) {
    this.#read += amount;
    const { limit, remaining } = this.#expect(this.#limit - this.#read);
    return [await this.#limits.consumeRecords('a', amount), { limit, remaining }];
  }

  async ask() {
    const { records } = await this.#limits.consumeRequest('a');
    return [records, this.#expect(this.#limit - this.#read)];
  }

  #expect(left: number) {
    return { allowed: left > 0, limit: this.#limit, remaining: Math.max(0, left) };
  }
}

it('records are had while any are left beside what was read and what runs, which ends once', async () => {
  const step = fc.constantFrom('acquire', 'release', 'reserve', 'consume', 'ask');
  const steps = fc.array(fc.tuple(step, fc.integer({ min: 0, max: 9 })), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 20 }), steps, async (limit, sequence) => {
      const owner = new Owner(limit);
      for (const [name, amount] of sequence) {
        const [state, expected] = await owner[name](amount);
        expect(state).toMatchObject(expected ?? {});
      }
    }),
  );
});

it('records that cannot be counted are not held for a query that has not begun', async () => {
  const down = new Error('The counts cannot be asked.');
  const local = new LocalCounts(standstill);
  const consume = vi
    .fn<NonNullable<Counters['service']>['consume']>()
    .mockRejectedValueOnce(down)
    .mockImplementation(async (all) => Promise.resolve(all.map((one) => local.consume(one))));
  const limits = limitsOf(5, { consume });
  await expect(limits.acquireRecords('a', 5)).rejects.toBe(down);
  expect((await limits.acquireRecords('a', 5)).state).toMatchObject({ remaining: 5 });
});

it('records are had without a state where nothing limits them', async () => {
  const limits = limitsOf('unlimited');
  const { state, release } = await limits.acquireRecords('a', 5);
  release();
  expect([state, await limits.reserveRecords('a', 5)]).toEqual([undefined, undefined]);
});
