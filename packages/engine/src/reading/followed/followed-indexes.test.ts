import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { queryOf } from '../../../test/page-questions.ts';
import type {
  Checkpoints,
  FollowedIndex,
  RowPlace,
  WantedKeys,
} from '../../sources/following/followed-moment.ts';
import type { KeySnapshot, RelationMoment } from '../../sources/source.ts';
import type { KeysStatement } from '../../sql/query-statements.ts';
import { MechanismCounters } from '../cache-stats.ts';
import type { WorkStep } from './followed-work.ts';
import { FollowedIndexes } from './followed-indexes.ts';

const FIRST: WantedKeys = { from: undefined, part: undefined, rows: 10_001, step: 100 };

const CHECKPOINTS: Checkpoints = { length: 0, keyAt: () => [], rowsBefore: () => 0n };

const RANGE = { size: 10, offset: 2000n };

/** Indexes over a source that does what the test says. */
function startIndexes() {
  const state = {
    sorted: 0,
    begun: 0,
    isComplete: false,
    isLate: false,
    wants: [] as (WantedKeys | undefined)[],
    place: undefined as RowPlace | undefined,
  };
  const steps: WorkStep[] = [];
  const read: KeysStatement[] = [];
  const [estimated, orders, located]: [unknown[], unknown[], unknown[]] = [[], [], []];
  const counters = new MechanismCounters();
  const indexes = new FollowedIndexes(counters, {
    begin: (_relation, step) => void steps.push(step),
  });
  const index: FollowedIndex = {
    get isComplete() {
      return state.isComplete;
    },
    isBroken: false,
    locate: (range) => {
      located.push(range);
      return state.place;
    },
    checkpoints: () => (state.isComplete ? CHECKPOINTS : undefined),
    wants: () => state.wants[0],
    learn: async () => {
      if (state.isLate) return false;
      state.wants.shift();
      state.isComplete = state.wants.length === 0;
      return true;
    },
  };
  const moment = {
    index: async (order: unknown) => {
      orders.push(order);
      return state.begun > 0 ? index : undefined;
    },
    beginIndex: async () => {
      state.begun += 1;
      return true;
    },
  } as unknown as RelationMoment;
  const snapshot = {
    estimateSort: async (statement: unknown) => {
      estimated.push(statement);
      return { rows: state.sorted };
    },
    keys: async (statement: KeysStatement) => {
      read.push(statement);
      return { rows: [] };
    },
  } as unknown as KeySnapshot;
  const ask = (): boolean => {
    const has = indexes.has(queryOf());
    if (!has) indexes.want(queryOf());
    return has;
  };
  const work = async (): Promise<boolean | undefined> => steps.at(-1)?.(snapshot, moment);
  /** An index that is complete, of a list that was asked for twice. */
  const build = async (): Promise<void> => {
    for (let turn = 0; turn < 2; turn++) ask();
    await work();
    state.wants = [FIRST];
    await work();
  };
  const hits = (): unknown => {
    const found = counters.statistics.find(({ mechanism }) => mechanism === 'followed_index');
    return [found?.hits, found?.misses];
  };
  const facts = { state, steps, read, estimated, orders, located };
  return { ...facts, indexes, index, moment, ask, work, build, hits };
}

describe('a followed page index', () => {
  it('is read in chunks when it is asked for again, and serves when it is complete', async () => {
    const { state, steps, read, ask, work } = startIndexes();
    expect([ask(), ask()]).toEqual([false, false]);
    expect(steps).toHaveLength(1);
    const next: WantedKeys = { ...FIRST, from: ['7', null] };
    const part: WantedKeys = { ...FIRST, part: 'null' };
    state.wants = [FIRST, next, part];
    expect([await work(), await work(), ask(), await work()]).toEqual([true, true, false, false]);
    expect(read.map(({ rows }) => rows.sql)).toEqual(['anything', 'from_key', 'null']);
    expect(read.map(({ bindings: { key } }) => key)).toEqual([[], ['7', null], []]);
    expect(read.map(({ maySort }) => maySort)).toEqual([false, true, false]);
    expect(ask()).toBe(true);
  });

  it('is not begun for a list each of whose chunks would be sorted out of the whole', async () => {
    const { state, steps, read, ask, work } = startIndexes();
    state.sorted = 20_001;
    for (let turn = 0; turn < 2; turn++) ask();
    expect(await work()).toBe(false);
    expect([state.begun, read.length]).toEqual([0, 0]);
    ask();
    expect(steps).toHaveLength(1);
  });

  it('goes on in a later snapshot where one does not see what came before it began', async () => {
    const { state, read, ask, work } = startIndexes();
    for (let turn = 0; turn < 2; turn++) ask();
    expect(await work()).toBe(true);
    state.wants = [FIRST];
    expect(await work()).toBe(false);
    expect(read).toHaveLength(1);
  });

  it('goes on where what was read came too late to be taken in', async () => {
    const { state, read, ask, work } = startIndexes();
    for (let turn = 0; turn < 2; turn++) ask();
    Object.assign(state, { wants: [FIRST], isLate: true });
    for (let turn = 0; turn < 19; turn++) expect(await work()).toBe(true);
    state.isLate = false;
    expect([await work(), read.length]).toEqual([false, 20]);
    expect(ask()).toBe(true);
  });

  it('is given up where no snapshot is of use', async () => {
    const { ask, work } = startIndexes();
    for (let turn = 0; turn < 2; turn++) ask();
    let tries = 1;
    while ((await work()) === true) tries += 1;
    expect(tries).toBe(20);
  });
});

describe('the keys of a followed page index', () => {
  it('lead to rows, which counts as a hit and keeps the index in use', async () => {
    const { state, indexes, index, build, hits, located, steps } = startIndexes();
    await build();
    state.place = { from: ['7', null], skip: 3, reachesNulls: true };
    expect(indexes.locate(index, queryOf(), RANGE)).toMatchObject({
      statement: { sql: 'seek', shape: { nulls: [false, true], reachesNulls: true } },
      bindings: { size: 10, offset: 3n, key: ['7', null] },
    });
    state.place = { from: undefined, skip: 3, reachesNulls: false };
    const found = indexes.locate(index, queryOf(), RANGE);
    expect(found).toMatchObject({ statement: { sql: 'rows' }, bindings: { size: 10, offset: 3n } });
    expect([located, hits(), steps.length]).toEqual([[RANGE, RANGE], [2, 2], 1]);
    expect(indexes.has(queryOf())).toBe(true);
  });

  it('are read on where the index wants some again, also while it serves', async () => {
    const { state, indexes, index, build, steps, work } = startIndexes();
    await build();
    Object.assign(state, { wants: [FIRST, FIRST], place: { from: ['7'], skip: 0 } });
    expect(indexes.locate(index, queryOf(), RANGE)).toBeDefined();
    expect(steps).toHaveLength(2);
    state.isComplete = true;
    expect([await work(), await work()]).toEqual([true, false]);
    Object.assign(state, { wants: [FIRST, FIRST], isComplete: true });
    Object.assign(index, { learn: async () => state.wants.shift() !== undefined });
    expect([await work(), await work()]).toEqual([true, false]);
  });

  it.each<[string, number, boolean]>([
    ['a page is located', 10, true],
    ['a page is located', 9, false],
    ['its checkpoints are read', 10, true],
    ['its checkpoints are read', 9, false],
    ['a page is nowhere', 10, false],
    ['it is not complete', 10, false],
  ])(
    'has an index that is read anew once it is gone: %s %i times: at once %s',
    async (...facts) => {
      const [use, times, isAtOnce] = facts;
      vi.useFakeTimers({ toFake: ['performance'] });
      onTestFinished(() => void vi.useRealTimers());
      const { state, indexes, index, moment, steps, ask, work } = startIndexes();
      for (let turn = 0; turn < 2; turn++) ask();
      await work();
      vi.advanceTimersByTime(1000);
      state.wants = [FIRST];
      await work();
      if (use === 'a page is located') state.place = { from: ['7'], skip: 0, reachesNulls: false };
      if (use === 'it is not complete') state.isComplete = false;
      for (let time = 0; time < times; time++)
        if (use.startsWith('a page')) indexes.locate(index, queryOf(), RANGE);
        else await indexes.checkpoints(moment, queryOf());
      indexes.locate(undefined, queryOf(), RANGE);
      ask();
      expect(steps).toHaveLength(isAtOnce ? 2 : 1);
      vi.advanceTimersByTime(4000);
      ask();
      expect(steps).toHaveLength(isAtOnce ? 3 : 2);
    },
  );

  it('lead nowhere where no index knows the place, or there is none, which is then gone', async () => {
    const { state, indexes, index, build, hits } = startIndexes();
    await build();
    expect(indexes.locate(index, queryOf(), RANGE)).toBeUndefined();
    expect([hits(), indexes.has(queryOf())]).toEqual([[0, 3], true]);
    expect(indexes.locate(undefined, queryOf(), RANGE)).toBeUndefined();
    expect([hits(), indexes.has(queryOf())]).toEqual([[0, 3], false]);
    Object.assign(state, { isComplete: false, place: { from: ['7'], skip: 0 } });
    expect(indexes.locate(index, queryOf(), RANGE)).toBeDefined();
  });

  it('of an index that is not complete serve once, and the list is asked for anew', async () => {
    const { state, indexes, index, build } = startIndexes();
    await build();
    Object.assign(state, { isComplete: false, place: { from: ['7'], skip: 0 } });
    indexes.locate(index, queryOf(), RANGE);
    expect(indexes.has(queryOf())).toBe(false);
  });

  it('are those of the moment, by key, condition and order of the list', async () => {
    const { indexes, moment, build, orders, estimated } = startIndexes();
    expect(await indexes.checkpoints(moment, queryOf())).toBeUndefined();
    await build();
    expect(await indexes.checkpoints(moment, queryOf())).toBe(CHECKPOINTS);
    expect(orders[0]).toEqual({ key: 'order of list', condition: undefined, terms: [] });
    expect(estimated).toMatchObject([
      { keys: { sql: 'every 10000' }, bindings: { size: 10_000 }, maySort: false },
    ]);
  });

  it('are read of a list of which two chunks are sorted', async () => {
    const { state, build, read } = startIndexes();
    state.sorted = 20_000;
    await build();
    expect([state.begun, read.length]).toEqual([1, 1]);
  });
});
