import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { queryOf } from '../../../test/page-questions.ts';
import type { CountTerms } from '../../sources/following/followed-moment.ts';
import type { KeySnapshot, RelationMoment } from '../../sources/source.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import type { WorkStep } from './followed-work.ts';
import { FollowedTotals } from './followed-totals.ts';

function filtered(totalKey = 'filtered'): PreparedQuery {
  const query = queryOf();
  Object.assign(query.plan, { condition: { and: [], of: totalKey } });
  return Object.assign(query, { totalKey });
}

/** Totals over a source that does what the test says. */
function startTotals() {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const state = {
    isKnown: false,
    begins: true,
    sees: true,
    countMs: 5,
    /** So many are counted, and twice as many the next time. */
    most: 1,
    learned: undefined as bigint | undefined,
    /** The conditions of lists that were counted. */
    counted: [] as unknown[],
    /** Once a count has begun. */
    begun: Promise.withResolvers<void>(),
    /** What counts wait for. */
    counting: undefined as Promise<void> | undefined,
    failure: undefined as Error | undefined,
    /** Their ends, one after another. */
    steps: [] as PromiseWithResolvers<void>[],
  };
  const steps: WorkStep[] = [];
  const totals = new FollowedTotals({
    changes: { knowsTotal: () => state.isKnown },
    work: {
      begin: (_relation, step) => void steps.push(step),
      stepEnd: () => state.steps.shift()?.promise,
    },
    leastCountMs: 5,
  });
  const moment = {
    countLists: async (conditions: readonly unknown[], { leastMs, onBegin }: CountTerms) => {
      if (state.failure !== undefined) throw state.failure;
      vi.advanceTimersByTime(state.countMs);
      const isRefused = conditions[0] !== undefined && (!state.begins || state.countMs < leastMs);
      if (state.sees && !isRefused) state.learned = 7n;
      const learned = state.sees ? 'known' : 'late';
      const now = state.most;
      onBegin?.(conditions.map((_, place) => place < now));
      state.begun.resolve();
      await state.counting;
      state.most *= 2;
      state.counted.push(...conditions.slice(0, now));
      return conditions.map((_, place) =>
        place < now ? (isRefused ? 'refused' : learned) : undefined,
      );
    },
  } as unknown as RelationMoment;
  const snapshot = {} as KeySnapshot;
  const work = async (): Promise<boolean | undefined> => steps.at(-1)?.(snapshot, moment);
  const want = (query: PreparedQuery, caller = 'a') => totals.want(query, caller);
  return { state, steps, totals, want, work };
}

describe('totals that follow the changes', () => {
  it('are counted in a snapshot, the first time that a whole relation is asked for', async () => {
    const { state, totals, want, work } = startTotals();
    void want(queryOf());
    expect(await work()).toBe(false);
    expect(state.learned).toBe(7n);
    state.isKnown = true;
    expect(totals.has(queryOf())).toBe(true);
  });

  it('are those of the caller whose request had them counted', async () => {
    const { totals, want, work } = startTotals();
    void want(queryOf(), 'ada');
    void want(queryOf(), 'bob');
    expect(totals.foundFor(queryOf())).toBeUndefined();
    await work();
    expect(totals.foundFor(queryOf())).toBe('ada');
  });

  it('are counted in a later snapshot where one does not see what came before they began', async () => {
    const { state, want, work } = startTotals();
    state.sees = false;
    void want(queryOf());
    expect(await work()).toBe(true);
    state.sees = true;
    expect(await work()).toBe(false);
    expect(state.learned).toBe(7n);
  });

  it('are counted of one relation at a time, the whole of it alone, and no more where they are known', async () => {
    const { state, totals, want, work } = startTotals();
    state.most = 10;
    void want(queryOf({ list: 'other' }));
    for (const query of [filtered(), filtered(), queryOf()]) void want(query, 'b');
    expect(await work()).toBe(true);
    expect(state.counted).toEqual([undefined]);
    state.isKnown = true;
    expect([await work(), state.counted.length]).toEqual([false, 1]);
    expect(totals.foundFor(queryOf())).toBe('b');
  });

  it("that a snapshot does not see are nobody's", async () => {
    const { state, totals, want, work } = startTotals();
    state.sees = false;
    void want(queryOf());
    await work();
    expect(totals.foundFor(queryOf())).toBeUndefined();
  });

  it('are given up where no snapshot is of use', async () => {
    const { state, want, work } = startTotals();
    state.sees = false;
    void want(queryOf());
    let tries = 1;
    while ((await work()) === true) tries += 1;
    expect(tries).toBe(20);
  });

  it('of filtered lists are counted at the first request', async () => {
    const { steps, want } = startTotals();
    expect([await want(filtered()), steps.length]).toEqual([0, 1]);
  });

  it('are not waited for where too many others wait already', async () => {
    const { want } = startTotals();
    const waits = Array.from({ length: 251 }, (_, caller) =>
      want(filtered(`${caller}`), `${caller}`),
    );
    expect(await waits.at(-1)).toBe(0);
  });

  it('of filtered lists are not followed where counting them takes less than five milliseconds', async () => {
    const { state, steps, want, work } = startTotals();
    state.countMs = 4;
    void want(filtered());
    expect(await work()).toBe(false);
    void want(filtered());
    expect([steps.length, state.learned]).toEqual([1, undefined]);
  });

  it('of several filtered lists are counted in one go, first one and then more at once', async () => {
    const { want, work } = startTotals();
    for (const key of ['a', 'b', 'c']) void want(filtered(key));
    expect([await work(), await work()]).toEqual([true, false]);
  });

  it('of each caller are counted in turn, and of each those first that were asked for last', async () => {
    const { state, want, work } = startTotals();
    for (const list of ['a1', 'a2', 'a3', 'a4', 'b1']) void want(filtered(list), list.charAt(0));
    while ((await work()) === true);
    expect(state.counted).toMatchObject(['a4', 'b1', 'a3', 'a2', 'a1'].map((of) => ({ of })));
  });

  it('of a caller are counted though another has asked for more lists than may wait', async () => {
    const { state, want, work } = startTotals();
    const lists = Array.from({ length: 300 }, (_, list) => `a${list}`);
    for (const list of ['b1', ...lists]) void want(filtered(list), list.charAt(0));
    await work();
    expect(state.counted).toMatchObject([{ of: 'b1' }]);
  });

  it('that cannot be counted do not keep others waiting', async () => {
    const { state, want, work } = startTotals();
    state.failure = new Error('broken');
    void want(filtered());
    await expect(work()).rejects.toThrow('broken');
    state.failure = undefined;
    expect(await work()).toBe(false);
    expect(state.counted).toEqual([]);
  });

  it('are waited for until they are counted', async () => {
    const { state, totals, want, work } = startTotals();
    const step = Promise.withResolvers<void>();
    state.steps = [step, step, Promise.withResolvers<void>()];
    const waits = want(filtered());
    await work();
    state.isKnown = true;
    step.resolve();
    await waits;
    expect(totals.has(filtered())).toBe(true);
  });

  it('are waited for while others are counted, but not for long', async () => {
    const { state, want } = startTotals();
    const [quick, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    state.steps = [quick, quick, quick, quick, slow, slow];
    let waits = true;
    const waited = want(filtered());
    void waited?.then(() => (waits = false));
    quick.resolve();
    await vi.advanceTimersByTimeAsync(1999);
    expect([waits, state.steps.length]).toEqual([true, 1]);
    await vi.advanceTimersByTimeAsync(1);
    expect([waits, await waited]).toEqual([false, 2000]);
  });

  it('are waited for to the end once their own count has begun', async () => {
    const { state, want, work } = startTotals();
    const [step, counted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    [state.steps, state.counting] = [[step, step, step, step], counted.promise];
    let waits = true;
    const other = want(filtered('other'));
    const waited = want(filtered());
    void waited?.then(() => (waits = false));
    const working = work();
    await state.begun.promise;
    const later = want(filtered());
    await vi.advanceTimersByTimeAsync(60_000);
    expect(waits).toBe(true);
    counted.resolve();
    await working;
    step.resolve();
    // Its own count is no wait: it began after 5 ms, and before somebody else wanted the list too.
    expect(await Promise.all([other, waited, later])).toEqual([2000, 5, 0]);
  });

  it('of filtered lists are all counted at once where that takes no longer', async () => {
    const { state, want, work } = startTotals();
    state.most = 3;
    for (const key of ['a', 'b', 'c']) void want(filtered(key));
    expect(await work()).toBe(false);
  });

  it('of filtered lists that are asked for together are counted together', async () => {
    const { state, want, work } = startTotals();
    state.most = 2;
    void want(filtered('a'));
    const counting = work();
    void want(filtered('b'));
    expect(await counting).toBe(false);
    expect(state.counted).toHaveLength(2);
  });

  it('of filtered lists are counted without waiting for others where the last count was quick', async () => {
    const { state, want, work } = startTotals();
    state.most = 10;
    void want(filtered('first'));
    await work();
    void want(filtered('second'));
    const working = work();
    setImmediate(() => void want(filtered('late')));
    await working;
    expect(state.counted).toEqual(['first', 'second'].map((of) => ({ and: [], of })));
  });

  it('of filtered lists wait for others again once a thousand others were counted since', async () => {
    const { state, want, work } = startTotals();
    state.most = 10;
    for (const query of [
      filtered(),
      ...Array.from({ length: 1000 }, (_, n) => queryOf({ list: `${n}` })),
    ]) {
      void want(query);
      await work();
    }
    void want(filtered('second'));
    const working = work();
    setImmediate(() => void want(filtered('late')));
    await working;
    expect(state.counted.slice(-2)).toMatchObject([{ of: 'late' }, { of: 'second' }]);
  });

  it('of filtered lists are counted though more are asked for all the time', async () => {
    const { state, want, work } = startTotals();
    state.most = 250;
    let lists = 0;
    const asking = setInterval(() => void want(filtered(`${lists++}`)), 5);
    onTestFinished(() => clearInterval(asking));
    await work();
    expect(state.counted.length).toBeLessThan(250);
  });

  it('are counted once, though they were asked for while that went on', async () => {
    const { state, want, work } = startTotals();
    void want(filtered());
    const counting = work();
    void want(filtered());
    await counting;
    [state.isKnown, state.learned] = [true, undefined];
    expect(await work()).toBe(false);
    expect(state.learned).toBeUndefined();
  });

  it('are not asked for again for a while where they cannot be followed', async () => {
    const { state, steps, want, work } = startTotals();
    state.begins = false;
    void want(filtered());
    expect(await work()).toBe(false);
    void want(filtered());
    expect([steps.length, state.learned]).toEqual([1, undefined]);
  });

  it('that were lost before they were of use are not counted again at once', async () => {
    const { state, steps, totals, want, work } = startTotals();
    state.countMs = 1000;
    void want(filtered());
    await work();
    void want(filtered());
    expect(steps).toHaveLength(1);
    vi.advanceTimersByTime(5000);
    void want(filtered());
    expect(steps).toHaveLength(2);
    await work();
    for (let use = 0; use < 10; use++) totals.noteUse(filtered());
    void want(filtered());
    expect(steps).toHaveLength(3);
  });

  it('that waited long to be counted are counted again as soon as if they had not', async () => {
    const { steps, want, work } = startTotals();
    void want(filtered());
    vi.advanceTimersByTime(60_000);
    void want(filtered());
    await work();
    void want(filtered());
    expect(steps).toHaveLength(2);
    vi.advanceTimersByTime(20);
    void want(filtered());
    expect(steps).toHaveLength(3);
  });
});
