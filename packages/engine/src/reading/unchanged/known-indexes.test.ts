import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { queryOf } from '../../../test/page-questions.ts';
import { settled } from '../../../test/reader-by-hand.ts';
import { CacheStore } from '../../cache-store.ts';
import type { PreparedQuery } from '../../sql/prepared/prepared-query.ts';
import { MechanismCounters } from '../cache-stats.ts';
import type { Build, IndexBuilder } from './index-builder.ts';
import { DataVersions } from '../sharing/data-version.ts';
import { KnownTotals } from './known-totals.ts';

const LIST = queryOf();
const DEEP = { size: 10, offset: 4000n };
const TOTAL = 10_000n;

/** How a build ends, with so many keys. */
interface BuildFacts extends Pick<Build, 'outcome' | 'buildMs'> {
  readonly keys: number;
  readonly version: string;
}

/** An index of the list's first version with so many keys. */
function indexOf(keys: number): Build['index'] {
  const read = Array.from({ length: keys }, (_, key) => [String(key)]);
  return { version: '1', step: 100, keys: read };
}

/** Page indexes whose keys the test reads; there is a key for every 100 records. */
function startIndexes(memoryBytes = 100_000) {
  const builds: PromiseWithResolvers<Build>[] = [];
  const lists: string[] = [];
  const state = { isBusy: false, growing: undefined as IndexBuilder['growing'] };
  const counters = new MechanismCounters();
  const indexing = {
    counters,
    minOffset: 1000,
    builder: {
      get isBusy() {
        return state.isBusy;
      },
      get growing() {
        return state.growing;
      },
      build: ({ orderKey }: PreparedQuery) => {
        const build = Promise.withResolvers<Build>();
        builds.push(build);
        lists.push(orderKey);
        return build.promise;
      },
    },
  };
  const versions = new DataVersions(undefined);
  const indexes = new KnownTotals(versions, new CacheStore(memoryBytes), indexing);
  const ask = (
    query: PreparedQuery = LIST,
    { offset = DEEP.offset, version = '1', total = TOTAL, caller = 'a' } = {},
  ): string | undefined => {
    const [range, known] = [
      { size: 10, offset },
      { total, version },
    ];
    const path = indexes.locate(query, range, known);
    indexes.want(query, { range, known, caller });
    return path?.statement.sql;
  };
  const answer = async (
    build: number,
    { outcome = 'built', keys = 100, buildMs = 0, version = '1' }: Partial<BuildFacts> = {},
  ): Promise<void> => {
    builds[build]?.resolve({ outcome, index: { ...indexOf(keys), version }, buildMs });
    await settled();
  };
  /** Twice, as a list has no index for being asked for once. */
  const want = (list: string, caller: string): void => {
    for (let time = 0; time < 2; time++)
      ask(Object.assign(queryOf(), { orderKey: list }), { caller });
  };
  const stats = () => counters.statistics.find(({ mechanism }) => mechanism === 'page_index');
  return { ask, want, answer, builds, lists, state, indexes, stats };
}

describe('a deep page', () => {
  it('leads to an index when it is asked for again, through which it is found then', async () => {
    const { ask, answer, builds, indexes, stats } = startIndexes();
    expect(ask()).toBe('rows');
    expect(builds).toHaveLength(0);
    expect(ask()).toBe('rows');
    expect(builds).toHaveLength(1);
    await answer(0);
    expect(indexes.locate(LIST, DEEP, { total: TOTAL, version: '1' })).toMatchObject({
      statement: { sql: 'seek' },
      bindings: { key: ['40'], offset: 0n },
    });
    expect(stats()).toMatchObject({ hits: 1, misses: 2 });
    expect(stats()?.bytes).toBeGreaterThan(1000);
    expect(ask(LIST, { offset: 999n })).toBe('rows');
  });

  it('is read from the nearer end as long as there is no index', () => {
    const { ask } = startIndexes();
    expect([ask(LIST, { offset: 4000n }), ask(LIST, { offset: 6000n })]).toEqual([
      'rows',
      'reversed',
    ]);
  });

  it('is read through an index that is still being built, as far as that is the shorter way', () => {
    const { ask, state, indexes, stats } = startIndexes();
    state.growing = { list: LIST.orderKey, index: indexOf(30) };
    expect(indexes.locate(LIST, DEEP, { total: TOTAL, version: '1' })?.bindings).toMatchObject({
      key: ['29'],
      offset: 1100n,
    });
    expect(ask(LIST, { offset: 6400n })).toBe('seek');
    expect(ask(LIST, { offset: 6500n })).toBe('reversed');
    expect(stats()).toMatchObject({ hits: 2, misses: 1 });
  });

  it('is not read through an index that is being built of another list or version', () => {
    const { ask, state } = startIndexes();
    state.growing = { list: 'another', index: indexOf(30) };
    expect(ask()).toBe('rows');
    state.growing = { list: LIST.orderKey, index: indexOf(30) };
    expect(ask(LIST, { version: '2' })).toBe('rows');
  });

  it('is not found through the index of another version', async () => {
    const { ask, answer } = startIndexes();
    ask();
    ask();
    await answer(0);
    expect(ask(LIST, { version: '2' })).toBe('rows');
    expect(ask()).toBe('rows');
  });
});

describe('a page near an end of its list', () => {
  it.each([
    { offset: 999n, sql: 'rows' },
    { offset: 8991n, sql: 'reversed' },
    { offset: 10_000n, sql: undefined },
  ])('at offset $offset is read from there and leads to no index', ({ offset, sql }) => {
    const { ask, builds, stats } = startIndexes();
    expect([ask(LIST, { offset }), ask(LIST, { offset }), ask(LIST, { offset })]).toEqual([
      sql,
      sql,
      sql,
    ]);
    expect(builds).toHaveLength(0);
    expect(stats()).toMatchObject({ hits: 0, misses: 0 });
  });

  it('is one at less than the least offset', () => {
    const { ask, builds } = startIndexes();
    ask(LIST, { offset: 1000n });
    ask(LIST, { offset: 1000n });
    expect(builds).toHaveLength(1);
  });
});

describe('an index', () => {
  it('is not built while another one is', () => {
    const { ask, builds, state } = startIndexes();
    state.isBusy = true;
    ask();
    ask();
    expect(builds).toHaveLength(0);
    state.isBusy = false;
    ask();
    expect(builds).toHaveLength(1);
  });

  it('of each caller is built in turn, whoever asks for the most', async () => {
    const { want, answer, lists, state } = startIndexes();
    want('a0', 'a');
    state.isBusy = true;
    for (let list = 1; list < 5; list++) want(`a${list}`, 'a');
    want('b0', 'b');
    want('a5', 'a');
    await answer(0);
    expect(lists).toEqual(['a0', 'a5']);
    want('a6', 'a');
    await answer(1);
    await answer(2);
    expect(lists).toEqual(['a0', 'a5', 'b0', 'a6']);
  });

  it('is not built for another caller who waited, who lets the next one go first', async () => {
    const { want, answer, lists, state } = startIndexes();
    want('built', 'a');
    state.isBusy = true;
    for (const [caller, list] of ['built', 'failed', 'failed', 'other'].entries())
      want(list, String(caller));
    await answer(0);
    await answer(1, { outcome: 'failed', buildMs: 1e9 });
    expect(lists).toEqual(['built', 'failed', 'other']);
  });

  it('is waited for by a hundred callers, each with the list that it asked for last', async () => {
    const { want, answer, lists, state } = startIndexes();
    want('first', 'a');
    state.isBusy = true;
    for (let caller = 0; caller <= 100; caller++) want(`of ${caller}`, String(caller));
    want('last', '0');
    for (let build = 0; build <= 102; build++) await answer(build);
    const others = Array.from({ length: 99 }, (_, index) => `of ${index + 1}`);
    expect(lists).toEqual(['first', 'last', ...others]);
  });

  it('that others took the memory of before it was of use is not built again at once', async () => {
    const { want, answer, lists } = startIndexes();
    const others = Array.from({ length: 20 }, (_, index) => `other ${index}`);
    for (const [build, list] of ['lost', ...others].entries()) {
      want(list, 'a');
      await answer(build, { keys: 300, buildMs: 1e9 });
    }
    want('lost', 'a');
    expect(lists).toEqual(['lost', ...others]);
  });

  it('whose data changed while it was built is not used, and not built again at once', async () => {
    const { ask, answer, builds, stats } = startIndexes();
    ask();
    ask();
    await answer(0, { outcome: 'outdated', buildMs: 1e9 });
    expect(ask()).toBe('rows');
    expect(ask(LIST, { version: '2' })).toBe('rows');
    expect(builds).toHaveLength(1);
    expect(stats()?.bytes).toBe(0);
  });

  it('that could not be read is not built again at once', async () => {
    const { ask, answer, builds } = startIndexes();
    ask();
    ask();
    await answer(0, { outcome: 'failed', buildMs: 1e9 });
    ask();
    expect(builds).toHaveLength(1);
  });

  it('that needs too large a sort is tried again after a minute', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask, answer, builds } = startIndexes();
    ask();
    ask();
    await answer(0, { outcome: 'refused', buildMs: 1 });
    vi.advanceTimersByTime(59_000);
    ask();
    expect(builds).toHaveLength(1);
    vi.advanceTimersByTime(1000);
    ask();
    expect(builds).toHaveLength(2);
  });

  it('that does not fit into memory is built once, until the list is of another length', async () => {
    const { ask, answer, builds } = startIndexes(10_000);
    ask();
    ask();
    await answer(0, { keys: 1000 });
    for (let times = 0; times < 100; times++)
      ask(LIST, { total: TOTAL + BigInt(times), version: String(times) });
    expect(builds).toHaveLength(1);
    ask(LIST, { total: 5000n, offset: 2500n });
    expect(builds).toHaveLength(2);
  });

  it.each([
    { keys: 65, kept: true },
    { keys: 70, kept: false },
  ])(
    'with $keys keys in 10,000 bytes, half of them at most, is kept: $kept',
    async ({ keys, kept }) => {
      const { ask, answer, stats } = startIndexes(10_000);
      ask();
      ask();
      await answer(0, { keys });
      expect((stats()?.bytes ?? 0) > 0).toBe(kept);
    },
  );
});

/** An index that led to so many pages, and whether another one is built for the next version. */
async function isBuiltAgain(uses: number): Promise<boolean> {
  const { ask, answer, builds, stats } = startIndexes();
  ask();
  ask();
  await answer(0, { buildMs: 1e9 });
  for (let use = 0; use < uses; use++) expect(ask()).toBe('seek');
  ask(LIST, { version: '2' });
  expect(stats()?.bytes).toBe(0);
  return builds.length === 2;
}

describe('an index whose data has changed', () => {
  it('is built again at once where it led to ten pages', async () => {
    expect(await isBuiltAgain(10)).toBe(true);
  });

  it('is built again after a pause where it led to fewer', async () => {
    expect(await isBuiltAgain(9)).toBe(false);
  });

  it('is built again after a pause that begins short again once an index was useful', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask, answer, builds } = startIndexes();
    ask();
    ask();
    await answer(0, { buildMs: 1000 });
    ask(LIST, { version: '2' });
    vi.advanceTimersByTime(4000);
    ask(LIST, { version: '2' });
    await answer(1, { buildMs: 1000, version: '2' });
    for (let use = 0; use < 10; use++) ask(LIST, { version: '2' });
    ask(LIST, { version: '3' });
    await answer(2, { buildMs: 1000, version: '3' });
    ask(LIST, { version: '4' });
    expect(builds).toHaveLength(3);
    vi.advanceTimersByTime(4000);
    ask(LIST, { version: '4' });
    expect(builds).toHaveLength(4);
  });
});
